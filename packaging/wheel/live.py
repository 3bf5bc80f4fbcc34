"""Metrics of a training loop, as a run that klens reads while it grows.

    import klens
    klens.config({"lr": 1e-6, "kl_coef": 0.01}, name="kl-0.01")
    klens.log({"loss": 0.31, "val/score": 0.62}, step=12)

Lines go to `.klens/logs/NAME/metrics.jsonl`, the file that `klens log` writes too; read it with
`klens watch NAME` or `klens import --follow .klens/logs/NAME`. A thread of its own writes, so that a slow
disk never holds the training up, and nothing here ever raises into it: what cannot be written is dropped,
and said once.
"""

import atexit
import json
import os
import queue
import re
import sys
import threading
import time

_NAME = re.compile(r"^[\w-][\w.-]{0,99}$")
_LONGEST = 100_000

_lock = threading.Lock()
_lines = queue.Queue(_LONGEST)
_state = {"folder": None, "name": None, "thread": None, "complained": False, "step": 0}


def config(settings, name=None):
    """The settings of the run: a dictionary, as deep as it likes."""
    _safely(lambda: _put(name, "config", _plain(settings)))


def log(metrics, step=None, name=None):
    """One row of metrics. Without a step, the one after the last."""
    _safely(lambda: _row(metrics, step, name))


def flush(seconds=10):
    """Waits until what was logged so far is in the file."""
    done = threading.Event()
    _safely(lambda: _lines.put(("flush", None, done), timeout=seconds) if _state["thread"] else done.set())
    done.wait(seconds)


def _row(metrics, step, name):
    if step is None:
        step = _state["step"] + 1
    _state["step"] = int(step)
    row = {"step": int(step), "timestamp": time.time()}
    row.update(_plain(metrics))
    _put(name, "row", row)


def _put(name, kind, value):
    with _lock:
        _begin(name)
    _lines.put_nowait((kind, _state["folder"], value))


def _begin(name):
    if name is not None and name != _state["name"]:
        if not _NAME.match(str(name)):
            raise ValueError("a run's name has letters, digits, '.', '_' and '-' only: %r" % (name,))
        _state.update(name=str(name), folder=None, step=0)
    if _state["folder"] is None:
        _state["name"] = _state["name"] or time.strftime("run-%Y%m%d-%H%M%S") + "-%d" % os.getpid()
        _state["folder"] = os.path.join(_workspace(), "logs", _state["name"])
    if _state["thread"] is None:
        _state["thread"] = threading.Thread(target=_write, name="klens", daemon=True)
        _state["thread"].start()
        atexit.register(flush)


def _workspace():
    home = os.environ.get("KLENS_HOME")
    if home:
        return os.path.abspath(home)
    folder = os.getcwd()
    while True:
        if os.path.isdir(os.path.join(folder, ".klens")):
            return os.path.join(folder, ".klens")
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.join(os.getcwd(), ".klens")
        folder = above


def _write():
    while True:
        kind, folder, value = _lines.get()
        if kind == "flush":
            value.set()
            continue
        _safely(lambda: _append(kind, folder, value))


def _append(kind, folder, value):
    os.makedirs(folder, exist_ok=True)
    if kind == "config":
        path = os.path.join(folder, "config.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
        os.replace(path + ".new", path)
        return
    # One write a line: a reader never sees half of one for long, and two processes never mix.
    line = json.dumps(value) + "\n"
    with open(os.path.join(folder, "metrics.jsonl"), "ab", buffering=0) as file:
        file.write(line.encode("utf-8"))


def _plain(value):
    """Numbers out of tensors and arrays; whatever else JSON does not know, as text."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    item = getattr(value, "item", None)
    if callable(item):
        try:
            return item()
        except Exception:
            return str(value)
    return str(value)


def _safely(work):
    try:
        work()
    except Exception as error:
        if not _state["complained"]:
            _state["complained"] = True
            try:
                print("klens: metrics are not being logged: %s" % error, file=sys.stderr)
            except Exception:
                pass
