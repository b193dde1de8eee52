"""A job array on virtual nodes of Slurm, all on this machine: each a slurmd with a name and a port of its own.

Two of the nodes are killed in the midst of the work, with all that runs on them, and the controller is killed and begun
again. Slurm gives the tasks of dead nodes to others."""
import os, socket, subprocess, time

NODES = 4
PORT = 17000


def start(words, **options):
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def configuration(folder):
    host = socket.gethostname().split(".")[0]
    names = f"n[1-{NODES}]"
    path = os.path.join(folder, "slurm.conf")
    with open(path, "w") as file:
        file.write(f"""ClusterName=virtual
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={PORT}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
MessageTimeout=10
KillWait=1
MinJobAge=300
SchedulerParameters=sched_interval=2,batch_sched_delay=0,requeue_delay=1
JobRequeue=1
MaxArraySize=100001
MaxJobCount=200000
""")
        for number in range(1, NODES + 1):
            file.write(f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={PORT + number} CPUs=1 RealMemory=1000 State=UNKNOWN\n")
        file.write(f"PartitionName=work Nodes={names} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO\n")
    return path


def run(run, assets):
    folder = os.path.join(run.folder, "slurm")
    os.makedirs(os.path.join(folder, "state"))
    environment = dict(run.environment, SLURM_CONF=configuration(folder))
    if subprocess.run(["pgrep", "-x", "munged"], stdout=subprocess.DEVNULL).returncode:
        os.makedirs("/run/munge", mode=0o755, exist_ok=True)
        subprocess.run(["chown", "munge:munge", "/run/munge"], check=True)
        subprocess.run(["runuser", "-u", "munge", "--", "/usr/sbin/munged"], check=True)
    nodes = {}

    def begin(number):
        nodes[number] = start(["slurmd", "-D", "-N", f"n{number}"], env=environment)

    controller = start(["slurmctld", "-D"], env=environment)
    try:
        time.sleep(2)
        for number in range(1, NODES + 1):
            begin(number)
        deadline = time.time() + 60
        while b"idle" not in subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True).stdout:
            if time.time() > deadline:
                raise SystemExit(f"Slurm's nodes do not come up: see {folder}")
            time.sleep(0.5)
        script = os.path.join(folder, "task.sh")
        with open(script, "w") as file:
            # Nothing to do is no failure.
            file.write(f"#!/bin/sh\n{run.program} work {run.plan} --task $SLURM_ARRAY_TASK_ID --jobs 1 --quiet\n[ $? -eq 0 ] || [ $? -eq 2 ]\n")
        subprocess.run(["sbatch", "--requeue", f"--array=1-{run.tasks()}", "--output=/dev/null", "--error=/dev/null", script],
                       env=environment, cwd=run.folder, check=True, stdout=subprocess.DEVNULL)
        run.wait_for(assets // 4)
        # Two nodes die with all that runs on them.
        for number in (1, 2):
            subprocess.run(["pkill", "-9", "-f", f"slurmstepd.*n{number}"])
            nodes[number].kill()
        for pid in processes_of((1, 2)):
            try:
                os.killpg(os.getpgid(pid), 9)
            except ProcessLookupError:
                pass
        controller.kill()
        controller.wait()
        controller = start(["slurmctld", "-D"], env=environment)
        run.wait_for(assets // 2)
        # One of them comes back.
        begin(1)
        deadline = time.time() + 24 * 3600
        while subprocess.run(["squeue", "-h"], env=environment, capture_output=True).stdout.strip():
            if time.time() > deadline:
                raise SystemExit(f"Slurm does not come to an end: see {folder}")
            time.sleep(1)
    finally:
        for node in nodes.values():
            node.kill()
        controller.kill()
        subprocess.run(["pkill", "-9", "slurmstepd"])


def processes_of(numbers):
    """The processes of jobs on some nodes, by the environment that Slurm gives them."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                environment = open(f"/proc/{name}/environ", "rb").read()
            except OSError:
                continue
            if any(b"SLURMD_NODENAME=n%d\0" % number in environment for number in numbers):
                found.append(int(name))
    return found
