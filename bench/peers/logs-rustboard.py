"""rustboard on a folder, every point kept: python logs-rustboard.py FOLDER LAST_STEP. Prints JSON.

The clock runs from the start of the server until every tag has reached the last step; after that all points are counted.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import grpc
import tensorboard_data_server
from tensorboard.data.proto import data_provider_pb2 as messages
from tensorboard.data.proto import data_provider_pb2_grpc

folder, last_step = sys.argv[1], int(sys.argv[2])
port_file = os.path.join(tempfile.mkdtemp(), "port")
start = time.perf_counter()
server = subprocess.Popen(
    [
        tensorboard_data_server.server_binary(),
        f"--logdir={folder}",
        "--reload=once",
        "--samples-per-plugin=scalars=all",
        "--port=0",
        f"--port-file={port_file}",
        *sys.argv[3:],
    ],
    stdin=subprocess.DEVNULL,
)


def cpu_seconds():
    with open(f"/proc/{server.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request(kind, **fields):
    message = kind(**fields)
    message.plugin_filter.plugin_name = "scalars"
    return message


try:
    while not (os.path.exists(port_file) and open(port_file).read().endswith("\n")):
        time.sleep(0.005)
    channel = grpc.insecure_channel(
        f"localhost:{int(open(port_file).read())}", options=[("grpc.max_receive_message_length", -1)]
    )
    stub = data_provider_pb2_grpc.TensorBoardDataProviderStub(channel)
    while True:
        tags = [tag for run in stub.ListScalars(request(messages.ListScalarsRequest)).runs for tag in run.tags]
        if tags and all(tag.metadata.max_step == last_step for tag in tags):
            break
        time.sleep(0.02)
    seconds, cpu = time.perf_counter() - start, cpu_seconds()
    count = 0
    for tag in tags:
        wanted = request(messages.ReadScalarsRequest, downsample=messages.Downsample(num_points=10**9))
        wanted.run_tag_filter.tags.names.append(tag.tag_name)
        answer = stub.ReadScalars(wanted)
        count += sum(len(each.data.step) for run in answer.runs for each in run.tags)
    print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "count": count}))
finally:
    server.kill()
    server.wait()
