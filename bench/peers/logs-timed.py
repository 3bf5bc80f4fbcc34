"""Runs a command, its output thrown away: python logs-timed.py COMMAND… Prints seconds, CPU seconds, exit code as JSON."""

import json
import resource
import subprocess
import sys
import time

start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
seconds = time.perf_counter() - start
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"seconds": seconds, "cpuSeconds": spent.ru_utime + spent.ru_stime, "code": code}))
