"""The runs of bench/web for its peers: web-data.py tensorboard|mlflow|trackio|aim FOLDER RUNS METRICS STEPS

MLflow and Trackio make their tables themselves; rows go in by SQL, because their own ways take minutes for ten thousand runs. Aim's files can
only be written by Aim, which takes seven."""
import json
import math
import os
import sqlite3
import sys
import time

tool, folder, runs, metrics, steps = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
NAMES = ["val/score", "reward/mean", "kl/ref", "entropy", "response_length/mean", "grad_norm", "clipfrac", "loss/policy"]
names = [NAMES[i] if i < len(NAMES) else f"component_{i}/mean" for i in range(metrics)]


def value(run: int, metric: int, step: int) -> float:
    return math.sin(step / 40 + metric) + 0.001 * run


os.makedirs(folder, exist_ok=True)
if tool == "tensorboard":
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    for run in range(runs):
        os.makedirs(f"{folder}/kl-{run}", exist_ok=True)
        with open(f"{folder}/kl-{run}/events.out.tfevents.1794700000.here", "wb") as file:
            writer = RecordWriter(file)
            writer.write(Event(wall_time=1794700000, file_version="brain.Event:2").SerializeToString())
            for step in range(steps):
                values = [Summary.Value(tag=name, simple_value=value(run, i, step)) for i, name in enumerate(names)]
                event = Event(wall_time=1794700000 + step, step=step, summary=Summary(value=values))
                writer.write(event.SerializeToString())
            writer.flush()
if tool == "mlflow":
    from mlflow.tracking import MlflowClient

    path = f"{folder}/mlflow.db"
    client = MlflowClient(f"sqlite:///{path}")
    client.create_run("0", run_name="first")  # makes the tables
    database = sqlite3.connect(path)
    columns = [row[1] for row in database.execute("pragma table_info(runs)")]
    template = dict(zip(columns, database.execute("select * from runs").fetchone()))
    database.execute("delete from runs")
    database.execute("delete from tags")
    now = int(time.time() * 1000)
    for run in range(runs):
        row = {**template, "run_uuid": f"{run:032x}", "name": f"kl-{run}", "status": "FINISHED", "start_time": now - 1000 * run, "end_time": now}
        database.execute(f"insert into runs ({','.join(row)}) values ({','.join('?' * len(row))})", list(row.values()))
        database.execute("insert into tags (key, value, run_uuid) values ('mlflow.runName', ?, ?)", (row["name"], row["run_uuid"]))
        for i, name in enumerate(names):
            last = value(run, i, steps - 1)
            database.executemany(
                "insert into metrics (key, value, timestamp, run_uuid, step, is_nan) values (?,?,?,?,?,0)",
                [(name, value(run, i, step), now + step, row["run_uuid"], step) for step in range(steps)],
            )
            database.execute(
                "insert into latest_metrics (key, value, timestamp, step, is_nan, run_uuid) values (?,?,?,?,0,?)",
                (name, last, now, steps - 1, row["run_uuid"]),
            )
    database.commit()
if tool == "trackio":
    os.environ["TRACKIO_DIR"] = folder
    from trackio.sqlite_storage import SQLiteStorage

    database = sqlite3.connect(SQLiteStorage.init_db("klens"))
    for run in range(runs):
        identity = f"{run:032x}"
        database.execute(
            "insert into configs (run_id, run_name, config, created_at) values (?,?,'{}',?)",
            (identity, f"kl-{run}", "2026-11-16T00:00:00+00:00"),
        )
        rows = [
            (f"2026-11-16T00:00:{step:02d}+00:00", identity, f"kl-{run}", step, json.dumps({name: value(run, i, step) for i, name in enumerate(names)}))
            for step in range(steps)
        ]
        database.executemany("insert into metrics (timestamp, run_id, run_name, step, metrics) values (?,?,?,?,?)", rows)
    database.commit()
if tool == "aim":
    from aim import Repo, Run

    Repo.from_path(folder, init=True)
    for run in range(runs):
        written = Run(repo=folder, experiment="klens", system_tracking_interval=None, capture_terminal_logs=False, log_system_params=False)
        written.name = f"kl-{run}"
        for step in range(steps):
            for i, name in enumerate(names):
                written.track(value(run, i, step), name=name, step=step)
        written.close()
