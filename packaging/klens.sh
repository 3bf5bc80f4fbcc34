#!/bin/sh
# Starts klens with the Node beside this file, whatever Node the machine has or lacks. What Node cannot say itself,
# because it would not start, is said here: hence these sentences are not among the texts of src/text.
# @GLIBC@ is filled in by scripts/pack with what the binaries need.
self=$(readlink -f -- "$0")
here=${self%/*}

stop() {
  language=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
  case " $words " in
    *' --lang zh '* | *' --lang=zh '*) language=zh ;;
    *' --lang en '* | *' --lang=en '*) language=en ;;
  esac
  case $language in
    [zZ][hH]*) printf 'klens：%s\n' "$2" >&2 ;;
    *) printf 'klens: %s\n' "$1" >&2 ;;
  esac
  exit 2
}

words=$*
machine=$(uname -m)
[ "$machine" = x86_64 ] || stop \
  "this build of klens is for x86-64, and this machine is $machine. Install the npm package of klens here instead (Node 20.19 or newer)." \
  "这份 klens 只能在 x86-64 上运行，而本机是 $machine。请改装 klens 的 npm 包（需要 Node 20.19 以上）。"

# "glibc 2.28"; nothing where the C library is another one, or where getconf is missing.
library=$(getconf GNU_LIBC_VERSION 2>/dev/null)
case $library in
  'glibc '*)
    found=${library#glibc }
    minor=${found#*.}
    needed=@GLIBC@
    if [ "${found%%.*}" -lt "${needed%%.*}" ] ||
      { [ "${found%%.*}" -eq "${needed%%.*}" ] && [ "${minor%%[!0-9]*}" -lt "${needed#*.}" ]; }; then
      stop \
        "this machine has glibc $found, and the Node inside klens needs $needed or newer (RHEL 8, Debian 10, Ubuntu 20.04 and later). Run klens on a newer machine or in a newer container; it only needs to see the log files." \
        "本机的 glibc 是 $found，而 klens 自带的 Node 需要 $needed 或更高版本（RHEL 8、Debian 10、Ubuntu 20.04 及更新的系统）。请在较新的机器或容器里运行 klens，只要那里能读到日志文件即可。"
    fi
    ;;
  *)
    if [ -e /lib/ld-musl-x86_64.so.1 ] || [ ! -e /lib64/ld-linux-x86-64.so.2 ]; then
      stop \
        "this machine has no glibc (Alpine and other musl systems have none), and the Node inside klens needs glibc @GLIBC@ or newer. Install the npm package of klens here instead (Node 20.19 or newer)." \
        "本机没有 glibc（Alpine 等 musl 系统都没有），而 klens 自带的 Node 需要 glibc @GLIBC@ 或更高版本。请改装 klens 的 npm 包（需要 Node 20.19 以上）。"
    fi
    ;;
esac

exec "$here/runtime/node" "$here/bin/klens.js" "$@"
