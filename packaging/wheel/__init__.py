"""klens for machines with pip: Node and all of klens lie beside this file; Python only finds and starts them.

`klens.log({...}, step=...)` writes the metrics of a loop of one's own where klens reads them (live.py).
"""

import os
import sys

from .live import config, flush, log

__all__ = ["config", "flush", "log", "main"]


def main():
    launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "klens")
    os.execv(launcher, [launcher] + sys.argv[1:])
