"""One klens process that stays open, asked by lines of JSON over a pipe.

It starts with the first question and ends with this process: klens ends when its standard input is closed, which the
system does however Python dies. Threads may ask at once; a fork, or another working folder, gets a process of its own.
"""

import json
import os
import shutil
import subprocess
import threading

_lock = threading.Lock()
_open = {}


class KlensError(Exception):
    """What stands in the way, as a sentence; `code` is for programs (`not-found`, `bad-request`, `not-enough` …)."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


class Asked:
    """A question under way."""

    def __init__(self, process, number, on_progress):
        self._process = process
        self._number = number
        self._done = threading.Event()
        self._reply = None
        self.on_progress = on_progress

    def done(self):
        return self._done.is_set()

    def result(self, timeout=None):
        try:
            if not self._done.wait(timeout):
                raise TimeoutError("klens has not answered within %s s" % timeout)
        except BaseException:
            # Ctrl-C, too: the caller no longer waits for the answer.
            self.stop()
            raise
        if "error" in self._reply:
            error = self._reply["error"]
            raise KlensError(error.get("code", "internal"), error.get("message", ""))
        return self._reply.get("answer")

    def stop(self):
        self._process.send({"id": self._number, "stop": True})

    def _take(self, reply):
        if "progress" in reply:
            if self.on_progress is not None:
                self.on_progress(reply["progress"])
            return False
        self._reply = reply
        self._done.set()
        return True


class Process:
    def __init__(self, folder, environment):
        command = _command()
        self._sending = threading.Lock()
        self._asked = {}
        self._count = 0
        self._child = subprocess.Popen(
            command + ["serve", "--pipe"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=environment,
            # A Ctrl-C is for Python; klens is told by its pipe.
            start_new_session=True,
        )
        threading.Thread(target=self._read, name="klens-answers", daemon=True).start()

    def alive(self):
        return self._child.poll() is None

    def ask(self, message, on_progress=None):
        with self._sending:
            self._count += 1
            asked = Asked(self, self._count, on_progress)
            self._asked[self._count] = asked
        self.send(dict(message, id=asked._number))
        return asked

    def send(self, message):
        line = (json.dumps(message) + "\n").encode("utf-8")
        try:
            with self._sending:
                self._child.stdin.write(line)
                self._child.stdin.flush()
        except (OSError, ValueError):
            self._end()

    def close(self):
        try:
            self._child.stdin.close()
            self._child.wait(10)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._child.kill()

    def _read(self):
        for line in self._child.stdout:
            try:
                reply = json.loads(line)
            except ValueError:
                continue
            asked = self._asked.get(reply.get("id"))
            if asked is not None and asked._take(reply):
                self._asked.pop(reply["id"], None)
        self._child.wait()
        self._end()

    def _end(self):
        gone = {"error": {"code": "internal", "message": "the klens process ended (exit code %s)" % self._child.poll()}}
        for number in list(self._asked):
            asked = self._asked.pop(number, None)
            if asked is not None:
                asked._take(gone)


def process():
    """The process for this Python, this folder and this workspace."""
    key = (os.getpid(), os.getcwd(), os.environ.get("KLENS_HOME"))
    with _lock:
        held = _open.get(key)
        if held is None or not held.alive():
            held = _open[key] = Process(key[1], dict(os.environ))
        return held


def close():
    """Ends the processes of this Python; the next question starts one again."""
    with _lock:
        held = [_open.pop(key) for key in list(_open) if key[0] == os.getpid()]
    for each in held:
        each.close()


def _after_fork():
    # The lock may have been held by a thread that is not here, and what was open is the parent's.
    global _lock
    _lock = threading.Lock()
    for held in _open.values():
        _forget(held)
    _open.clear()


def _forget(held):
    """The parent's pipe leads nowhere from here on, or klens would outlive the parent for as long as this child lives."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (held._child.stdin, held._child.stdout):
        try:
            os.dup2(nowhere, stream.fileno(), inheritable=False)
        except (OSError, ValueError):
            pass
    os.close(nowhere)
    # Nor may this child wait for a process that is not its own.
    held._child.returncode = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _command():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "klens")
    given = os.environ.get("KLENS_COMMAND")
    if given:
        return given.split()
    if os.access(beside, os.X_OK) and os.path.isfile(beside):
        return [beside]
    found = shutil.which("klens")
    if found is None:
        raise KlensError("not-found", "no klens program was found; install the wheel, or name one in KLENS_COMMAND")
    return [found]
