"""klens for machines with pip: Node and all of klens lie beside this file; Python only finds and starts them."""

import os
import sys


def main():
    launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "klens")
    os.execv(launcher, [launcher] + sys.argv[1:])
