"""A job array on virtual Slurm nodes, all on this machine: each node is a slurmd with its own name and port.

Two of the nodes are killed in the middle of the work, with all processes that run on them, and the controller is killed and
restarted. Slurm reassigns the tasks of dead nodes."""
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
                raise SystemExit(f"Slurm's nodes do not start; see {folder}")
            time.sleep(0.5)
        script = os.path.join(folder, "task.sh")
        with open(script, "w") as file:
            # Nothing to do is not a failure.
            file.write(f"#!/bin/sh\n{run.program} work {run.plan} --task $SLURM_ARRAY_TASK_ID --jobs 1 --quiet\n"
                       "case $? in 0 | 2) ;; *) exit 1 ;; esac\n")

        def submit():
            subprocess.run(["sbatch", "--requeue", f"--array=1-{run.tasks()}", "--output=/dev/null", "--error=/dev/null", script],
                           env=environment, cwd=run.folder, check=True, stdout=subprocess.DEVNULL)

        submit()
        run.wait_for(assets // 4)
        # Kill two nodes with all processes that run on them.
        for number in (1, 2):
            nodes[number].kill()
        dead = processes_of((1, 2))
        # First kill the processes that would report the failure of a task to the controller.
        for pid in sorted(dead, key=lambda pid: command(pid) != "slurmstepd"):
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        controller.kill()
        controller.wait()
        controller = start(["slurmctld", "-D"], env=environment)
        run.wait_for(assets // 2)
        # Restart one of the nodes.
        begin(1)
        wait(environment, folder)
        # Submit the tasks that Slurm gave up once more; tasks that were done end at once.
        if run.rendered() < run.results():
            print(f"slurm: {run.results() - run.rendered()} results are missing; submitting the same tasks once more", flush=True)
            submit()
            wait(environment, folder)
    finally:
        for node in nodes.values():
            node.kill()
        controller.kill()
        subprocess.run(["pkill", "-9", "slurmstepd"])


def release(environment):
    """Does what an operator has to do after a controller died while it assigned a task. After its restart, the controller assigns the task
    to the same node again, and the node refuses it; then the controller holds the task and takes the node out of use."""
    def ask(*words):
        return subprocess.run(words, env=environment, capture_output=True, text=True).stdout.splitlines()
    for line in ask("squeue", "-h", "-r", "-t", "PD", "-o", "%i %r"):
        if "held" in line:
            ask("scontrol", "release", line.split()[0])
    for line in ask("sinfo", "-h", "-N", "-o", "%n %T"):
        if line.split()[1].startswith("drain"):
            ask("scontrol", "update", "NodeName=" + line.split()[0], "State=RESUME")


def wait(environment, folder, patience=24 * 3600):
    """Waits until Slurm has no work left."""
    deadline = time.time() + patience
    while subprocess.run(["squeue", "-h"], env=environment, capture_output=True).stdout.strip():
        if time.time() > deadline:
            raise SystemExit(f"Slurm does not finish; see {folder}")
        release(environment)
        time.sleep(1)


def command(pid):
    """The name of a process's program; empty if the process has ended."""
    try:
        return open(f"/proc/{pid}/comm").read().strip()
    except OSError:
        return ""


def parent(pid):
    """The parent of a process; 0 if the process has ended."""
    try:
        return int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def processes_of(numbers):
    """The job processes on some nodes, found by the environment that Slurm gives them, and Slurm's own processes that supervise them."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                environment = open(f"/proc/{name}/environ", "rb").read()
            except OSError:
                continue
            if any(b"SLURMD_NODENAME=n%d\0" % number in environment for number in numbers):
                found.append(int(name))
    return set(found) | {parent(pid) for pid in found if command(parent(pid)) == "slurmstepd"}
