import Foundation

/// The features that this computer's kernel has and permits, determined without any of the project's programs.
public enum Kernel {
  /// Returns the version of the kernel's Landlock interface; 0 without Landlock. The corresponding system call is
  /// `landlock_create_ruleset` with LANDLOCK_CREATE_RULESET_VERSION, number 444 on every processor.
  public static func landlock() throws -> Int {
    let script = """
      import ctypes
      print(max(0, ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1)))
      """
    guard let version = Int(try Tools.output("python3", "-c", script).lines.first ?? "") else {
      throw ToolFailure("the kernel does not tell its version of Landlock")
    }
    return version
  }

  /// Returns whether the kernel has Landlock.
  public static func hasLandlock() throws -> Bool { try landlock() > 0 }

  /// Returns whether the kernel can filter system calls and permits it. The corresponding system call is `seccomp` with
  /// SECCOMP_GET_ACTION_AVAIL and SECCOMP_RET_ERRNO, 317 on x86-64 and 277 on AArch64.
  public static func hasCallFilters() throws -> Bool {
    let script = """
      import ctypes, platform
      number = {"x86_64": 317, "aarch64": 277}[platform.machine()]
      print(ctypes.CDLL(None).syscall(number, 2, 0, ctypes.byref(ctypes.c_uint32(0x50000))))
      """
    return try Tools.output("python3", "-c", script).lines.first == "0"
  }

  /// Returns the beginning of a command line that runs a program as on a kernel without some system calls. Those calls
  /// fail with ENOSYS. The filter also applies to all programs that the program starts (seccomp(2),
  /// SECCOMP_SET_MODE_FILTER).
  ///
  /// - Parameter calls: The numbers of the system calls: ``landlockCall``, ``seccompCall``.
  public static func without(_ calls: [Int]) -> [String] {
    let script = """
      import ctypes, os, struct, sys
      numbers = [int(number) for number in sys.argv[1].split(",")]
      code = [(0x20, 0, 0, 0)] + [(0x15, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
      code += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | 38)]
      program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in code))
      class Filter(ctypes.Structure):
          _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]
      library = ctypes.CDLL(None, use_errno=True)
      filter = Filter(len(code), ctypes.addressof(program))
      if library.prctl(38, 1, 0, 0, 0) or library.prctl(22, 2, ctypes.byref(filter)):
          sys.exit(os.strerror(ctypes.get_errno()))
      os.execv(sys.argv[2], sys.argv[2:])
      """
    return ["python3", "-c", script, calls.map(String.init).joined(separator: ",")]
  }

  /// The number of the system call `landlock_create_ruleset`.
  public static let landlockCall = 444

  /// The number of the system call `seccomp`.
  public static var seccompCall: Int {
    #if arch(arm64)
      277
    #else
      317
    #endif
  }

  /// Returns whether strace can trace programs. If not, as in a container without ptrace, prints the reason.
  public static func canTrace() throws -> Bool { try tracing.get() }

  private static let tracing = Result {
    let script = TestFiles.project.appendingPathComponent("Tests/Long/crash/crash-test").path
    let answer = try Tools.run([script, "--can-trace"])
    if answer.status == 77 { print("Tests that trace are skipped: \(answer.text)") }
    return answer.status != 77
  }
}
