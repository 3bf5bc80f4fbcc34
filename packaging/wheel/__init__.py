"""klens in Python: ask a workspace of training runs, log to it, and watch.

    import klens
    answer = klens.compare("kl-0.0/*", "kl-0.1/*", margin="2%")
    answer.verdict.answer        # better, worse, same, different-but-small or undetermined
    answer                       # in a notebook: the verdict with its chart

Nothing is computed in Python: every question goes to one klens process over a pipe (pipe.py), which lies beside this file
in the wheel, with its own Node. `klens.log({...}, step=...)` writes the metrics of a loop of one's own (live.py).

The questions (api.py) are loaded when one is first asked: the command line starts no slower, and also under a Python that
is too old for them.
"""

import os
import sys

from .live import config, flush, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .api import *  # noqa: F403


def _api():
    import importlib

    # Not "from . import api", which would ask __getattr__ for it.
    return importlib.import_module(__name__ + ".api")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    api = _api()
    if name in api.__all__:
        return getattr(api, name)
    raise AttributeError("klens has no %r; it has %s" % (name, ", ".join(__dir__())))


def __dir__():
    return sorted(["config", "flush", "log", "main"] + _api().__all__)


def main():
    launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "klens")
    os.execv(launcher, [launcher] + sys.argv[1:])
