#!/usr/bin/env python3
"""Says how long a plan would take on many computers, and what that costs: a simulation, from what was measured on one.

  Tests/Long/scale/model.py [--assets N] [--nodes N ...] [--help]

Workers take one task after the other. A task first reads its inputs and at its end writes its results through one shared storage,
which serves one after the other; in between it computes. Nodes fail at random times, with all that runs on them; their tasks are
begun again from the results that had landed, once the engine has noticed, and the nodes come back. Then one computer commits.
What is measured comes from Tests/Long/scale/scale-test, and is printed with the result.
"""
import argparse
import heapq
import random

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--assets", type=int, default=1_000_000)
options.add_argument("--nodes", type=int, nargs="+", default=[1, 10, 100, 1000])
options.add_argument("--processors", type=int, default=4, help="of a node")
options.add_argument("--seconds", type=float, default=8.0, help="of one processor, for a Live Photo")
options.add_argument("--spread", type=float, default=0.5, help="standard deviation of a task's seconds from what was planned, as a share")
options.add_argument("--task", type=float, default=60.0, help="planned seconds of a task")
options.add_argument("--start", type=float, default=0.5, help="seconds that a task's start takes, the engine's part included")
options.add_argument("--read", type=float, default=6.0, help="megabytes that a Live Photo's render reads")
options.add_argument("--write", type=float, default=6.0, help="megabytes of a result")
options.add_argument("--storage", type=float, default=1000.0, help="megabytes a second of the shared storage")
options.add_argument("--plan-rate", type=float, default=300.0, help="Live Photos a second that plan takes in")
options.add_argument("--commit-rate", type=float, default=300.0, help="Live Photos a second that commit makes current")
options.add_argument("--failures", type=float, default=1000.0, help="hours of a node between two failures")
options.add_argument("--notice", type=float, default=60.0, help="seconds until a failure is noticed")
options.add_argument("--repair", type=float, default=600.0, help="seconds until a node is back")
options.add_argument("--price", type=float, default=0.05, help="of a processor's hour")
options.add_argument("--seed", type=int, default=1)


def simulate(given, nodes):
    """Runs all tasks once.

    Returns seconds of the work, seconds of processors paid for, and the share of the work that the storage was busy."""
    chance = random.Random(given.seed)
    in_task = max(1, round(given.task / given.seconds))
    waiting = [in_task] * (given.assets // in_task) + ([given.assets % in_task] if given.assets % in_task else [])
    waiting.reverse()
    failure = [chance.expovariate(1 / (3600 * given.failures)) for _ in range(nodes)]
    idle = [(0.0, number % nodes) for number in range(nodes * given.processors)]
    heapq.heapify(idle)
    storage = end = busy = 0.0
    returned = []  # tasks of failed nodes, with the time from which they can be taken
    while waiting or returned:
        now, node = heapq.heappop(idle)
        if failure[node] <= now:
            # The node is gone for a while; all its workers come here.
            if now < failure[node] + given.repair:
                heapq.heappush(idle, (failure[node] + given.repair, node))
                continue
            failure[node] = now + chance.expovariate(1 / (3600 * given.failures))
        if returned and (returned[0][0] <= now or not waiting):
            ready, size = heapq.heappop(returned)
            now = max(now, ready)
        else:
            size = waiting.pop()
        factor = max(0.2, chance.gauss(1, given.spread))
        # The storage serves whole tasks one after the other: what a task reads and writes, at its beginning.
        transfer = size * (given.read + given.write) / given.storage
        begun = max(storage, now)
        storage = begun + transfer
        busy += transfer
        finish = storage + given.start + size * given.seconds * factor
        if failure[node] < finish:
            landed = int(size * max(0.0, failure[node] - begun) / (finish - begun))
            if landed < size:
                heapq.heappush(returned, (failure[node] + given.notice, size - landed))
            heapq.heappush(idle, (failure[node] + given.repair, node))
        else:
            end = max(end, finish)
            heapq.heappush(idle, (finish, node))
    return end, end * nodes * given.processors, busy / end


def hours(seconds):
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


given = options.parse_args()
print(", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in vars(given).items() if isinstance(value, (int, float))))
print("| nodes | plan | work | commit | together | of the processors' time used | storage busy | cost |")
print("|--:|--:|--:|--:|--:|--:|--:|--:|")
for nodes in given.nodes:
    work, paid, storage = simulate(given, nodes)
    plan, commit = given.assets / given.plan_rate, given.assets / given.commit_rate
    print(f"| {nodes:,} | {hours(plan)} | {hours(work)} | {hours(commit)} | {hours(plan + work + commit)} | "
          f"{given.assets * given.seconds / paid:.0%} | {storage:.0%} | {paid / 3600 * given.price:,.0f} |")
