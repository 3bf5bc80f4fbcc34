"""The queries of docs/store.md, asked by other engines: python logs-engines.py WORKSPACE METRIC RUN. Prints JSON."""

import glob
import json
import sys
import time

import chdb
import pandas as pd

workspace, metric, run = sys.argv[1:]
COLUMNS = ["metric", "step", "value", "quality"]


def clickhouse(sql):
    answer = json.loads(chdb.query(sql, "JSONCompactColumns").bytes())
    return [[float(value) for value in column] for column in answer]


def clickhouse_series():
    return clickhouse(f"""SELECT step, value FROM file('{workspace}/runs/{run}/points/*.parquet', Parquet)
        WHERE metric = '{metric}' AND quality = 'measured' ORDER BY step""")


def clickhouse_aggregate():
    return clickhouse(f"""SELECT step, count(), avg(value), stddevSamp(value)
        FROM file('{workspace}/runs/*/points/*.parquet', Parquet)
        WHERE metric = '{metric}' AND quality = 'measured' GROUP BY step ORDER BY step""")


def pandas_points(pattern):
    frames = [pd.read_parquet(path, columns=COLUMNS) for path in glob.glob(pattern)]
    points = pd.concat(frames)
    return points[(points.metric == metric) & (points.quality == "measured")]


def pandas_series():
    points = pandas_points(f"{workspace}/runs/{run}/points/*.parquet").sort_values("step")
    return [points.step.tolist(), points.value.tolist()]


def pandas_aggregate():
    groups = pandas_points(f"{workspace}/runs/*/points/*.parquet").groupby("step").value
    table = groups.agg(["count", "mean", "std"])
    return [table.index.tolist(), *[table[column].astype(float).tolist() for column in table]]


def timed(work):
    start = time.perf_counter()
    columns = work()
    return {"seconds": time.perf_counter() - start, "columns": columns}


print(
    json.dumps(
        {
            "clickhouse": {"series": timed(clickhouse_series), "aggregate": timed(clickhouse_aggregate)},
            "pandas": {"series": timed(pandas_series), "aggregate": timed(pandas_aggregate)},
        }
    )
)
