"""GNU parallel over ssh, to two servers on this machine that mount the originals at different paths."""
import os, subprocess, time


def run(run, assets):
    folder = os.path.join(run.folder, "ssh")
    os.makedirs(folder, mode=0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, name)], check=True)
    os.makedirs("/run/sshd", exist_ok=True)
    servers, mounts = [], []
    try:
        for number, port in enumerate((2301, 2302)):
            root = os.path.join(run.folder, f"mounted-{number}")
            os.makedirs(root)
            subprocess.run(["mount", "--bind", run.photos, root], check=True)
            mounts.append(root)
            settings = os.path.join(folder, f"server-{number}")
            with open(settings, "w") as file:
                file.write(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
                           f"StrictModes no\nPidFile none\nUsePAM no\nSetEnv LIVEEDIT_ROOT={root}\nMaxStartups 100\n")
            servers.append(subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", settings], stderr=subprocess.DEVNULL))
        time.sleep(1)
        client = f"ssh -i {folder}/user -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        logins = ",".join(f"1/{client} -p {port} 127.0.0.1" for port in (2301, 2302))
        command = ["parallel", "--sshlogin", logins, "--retries", "3",
                   f"{run.program} work {run.plan} --task {{}} --root $LIVEEDIT_ROOT --jobs 1 --quiet", ":::"]
        engine = subprocess.Popen(command + [str(number + 1) for number in range(run.tasks())], cwd=run.folder, env=run.environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run.wait_for(assets // 4)
        subprocess.run(["pkill", "-9", "-f", "--oldest", f"^{run.program} work {run.plan}"])
        engine.wait()
        run.liveedit("work", run.plan, may_fail=True)
    finally:
        for server in servers:
            server.kill()
        for root in mounts:
            subprocess.run(["umount", "--lazy", root])
