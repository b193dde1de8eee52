import Glibc

/// The computer: its name, processors, memory and clocks, and the identifier of the current boot.
package enum HostSystem {
  /// The computer's host name.
  ///
  /// The corresponding C function is `gethostname`.
  package static var name: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The effective user ID of the process.
  ///
  /// The corresponding C function is `geteuid`.
  package static var user: UInt32 { geteuid() }

  /// The number of processors that are online.
  ///
  /// The corresponding C function is `sysconf`.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The number of threads in this process; nil if the number is not available.
  ///
  /// The value is the number of entries in `/proc/self/task`; see proc_pid_task(5).
  static var threads: Int? { try? HeldFolder(path: "/proc/self/task").names().count }

  /// The size of the computer's memory in bytes; the maximum integer if the size is not available.
  ///
  /// The corresponding C function is `sysconf`.
  package static var memory: Int {
    let (bytes, isTooMany) = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(
      by: sysconf(Int32(_SC_PAGESIZE)))
    return bytes > 0 && !isTooMany ? bytes : .max
  }

  /// The memory, in bytes, that programs can still allocate without paging out other programs; the maximum integer if
  /// the value is not available.
  ///
  /// The value is `MemAvailable` from `/proc/meminfo`; see proc_meminfo(5).
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

  /// The identifier that the kernel generated when it booted.
  package static var boot: String {
    guard let stream = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "unknown" }
    defer { fclose(stream) }
    var buffer = [UInt8](repeating: 0, count: 36)
    let count = fread(&buffer, 1, buffer.count, stream)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// The current time in seconds since 1970.
  ///
  /// The corresponding C function is `time`.
  package static var now: Int { Int(time(nil)) }

  /// The current time in milliseconds since 1970.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_REALTIME`.
  package static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// The time of the last tick of the kernel's clock, in nanoseconds since 1970. Local file systems use this time for
  /// changes to files.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_REALTIME_COARSE`.
  package static var lastTick: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The number of seconds since an unspecified time before the process started. This clock is suitable for measuring
  /// durations, since it cannot be set.
  ///
  /// The corresponding C function is `clock_gettime` with `CLOCK_MONOTONIC`.
  package static var uptime: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Suspends the calling thread for a given time.
  ///
  /// The corresponding C function is `usleep`.
  package static func sleep(milliseconds: UInt32) { usleep(milliseconds &* 1000) }
}
