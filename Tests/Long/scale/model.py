#!/usr/bin/env python3
"""Estimates how long a plan would take on many computers and what it would cost: a simulation based on measurements on one computer.

  Tests/Long/scale/model.py [--assets N] [--nodes N ...] [--help]

Workers process one task after the other. A task first reads its inputs, then computes, and at its end writes its results. It reads
and writes through one shared storage, which serves one task at a time. Nodes fail at random times, with all tasks that run on them;
once the engine has noticed the failure, these tasks are restarted from the results that were already written, and the nodes return
later. Finally one computer commits. The measurements come from Tests/Long/scale/scale-test, and are printed with the result.
"""
import argparse
import heapq
import random

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--assets", type=int, default=1_000_000)
options.add_argument("--nodes", type=int, nargs="+", default=[1, 10, 100, 1000])
options.add_argument("--processors", type=int, default=4, help="processors per node")
options.add_argument("--seconds", type=float, default=8.0, help="processor seconds per Live Photo")
options.add_argument("--spread", type=float, default=0.5, help="standard deviation of a task's seconds from the plan, as a fraction")
options.add_argument("--task", type=float, default=60.0, help="planned seconds per task")
options.add_argument("--start", type=float, default=0.5, help="seconds to start a task, including the engine's part")
options.add_argument("--read", type=float, default=6.0, help="megabytes read to render a Live Photo")
options.add_argument("--write", type=float, default=6.0, help="megabytes per result")
options.add_argument("--storage", type=float, default=1000.0, help="throughput of the shared storage in megabytes per second")
options.add_argument("--plan-rate", type=float, default=300.0, help="Live Photos that plan processes per second")
options.add_argument("--commit-rate", type=float, default=300.0, help="Live Photos that commit makes current per second")
options.add_argument("--failures", type=float, default=1000.0, help="hours between two failures of a node")
options.add_argument("--notice", type=float, default=60.0, help="seconds until a failure is noticed")
options.add_argument("--repair", type=float, default=600.0, help="seconds until a node is back")
options.add_argument("--price", type=float, default=0.05, help="price of a processor hour")
options.add_argument("--seed", type=int, default=1)


def simulate(given, nodes):
    """Runs all tasks once.

    Returns the seconds of the work, the processor seconds paid for, and the fraction of the work during which the storage was busy."""
    chance = random.Random(given.seed)
    in_task = max(1, round(given.task / given.seconds))
    waiting = [in_task] * (given.assets // in_task) + ([given.assets % in_task] if given.assets % in_task else [])
    waiting.reverse()
    failure = [chance.expovariate(1 / (3600 * given.failures)) for _ in range(nodes)]
    idle = [(0.0, number % nodes) for number in range(nodes * given.processors)]
    heapq.heapify(idle)
    storage = end = busy = 0.0
    returned = []  # tasks of failed nodes, with the time from which workers can take them
    while waiting or returned:
        now, node = heapq.heappop(idle)
        if failure[node] <= now:
            # The node is down for a while; all its workers reach this line.
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
        # The storage serves whole tasks one after the other: a task's reads and writes count at its beginning.
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
print("| nodes | plan | work | commit | total | processor time used | storage busy | cost |")
print("|--:|--:|--:|--:|--:|--:|--:|--:|")
for nodes in given.nodes:
    work, paid, storage = simulate(given, nodes)
    plan, commit = given.assets / given.plan_rate, given.assets / given.commit_rate
    print(f"| {nodes:,} | {hours(plan)} | {hours(work)} | {hours(commit)} | {hours(plan + work + commit)} | "
          f"{given.assets * given.seconds / paid:.0%} | {storage:.0%} | {paid / 3600 * given.price:,.0f} |")
