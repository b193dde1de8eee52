import Glibc

/// The computer: its name, its processors, its clock, and the identity of its present run.
package enum HostSystem {
  /// The computer's name.
  ///
  /// The corresponding C function is `gethostname`.
  package static var name: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The number of the user whose rights the process has.
  ///
  /// The corresponding C function is `geteuid`.
  package static var user: UInt32 { geteuid() }

  /// The number of processors that are online.
  ///
  /// The corresponding C function is `sysconf`.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The number of threads of this process; nil where the system does not tell.
  ///
  /// The entries of `/proc/self/task`, see proc_pid_task(5).
  static var threads: Int? { try? HeldFolder(path: "/proc/self/task").names().count }

  /// The number of bytes of memory that the computer has; the greatest number where the system does not tell.
  ///
  /// The corresponding C function is `sysconf`.
  package static var memory: Int {
    let (bytes, isTooMany) = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(
      by: sysconf(Int32(_SC_PAGESIZE)))
    return bytes > 0 && !isTooMany ? bytes : .max
  }

  /// The number of bytes of memory that programs can still take without others being paged out; the greatest number where
  /// the system does not tell.
  ///
  /// `MemAvailable` of `/proc/meminfo`, see proc_meminfo(5).
  package static var availableMemory: Int {
    guard let stream = fopen("/proc/meminfo", "re") else { return .max }
    defer { fclose(stream) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, stream)
    let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return .max }
    return kilobytes << 10
  }

  /// The identifier that the kernel gave itself when it started.
  package static var boot: String {
    guard let stream = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "unknown" }
    defer { fclose(stream) }
    var buffer = [UInt8](repeating: 0, count: 36)
    let count = fread(&buffer, 1, buffer.count, stream)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// Seconds since 1970.
  ///
  /// The corresponding C function is `time`.
  package static var now: Int { Int(time(nil)) }

  /// Milliseconds since 1970.
  ///
  /// The corresponding C function is `clock_gettime`, with `CLOCK_REALTIME`.
  package static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Nanoseconds since 1970 at the last tick of the kernel's clock, which is the time that local file systems give to a change.
  ///
  /// The corresponding C function is `clock_gettime`, with `CLOCK_REALTIME_COARSE`.
  package static var lastTick: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Seconds since some moment before the process began: for durations, since nobody sets this clock.
  ///
  /// The corresponding C function is `clock_gettime`, with `CLOCK_MONOTONIC`.
  package static var uptime: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Waits.
  ///
  /// The corresponding C function is `usleep`.
  package static func sleep(milliseconds: UInt32) { usleep(milliseconds &* 1000) }
}
