public import Basics
import EditModel
import Synchronization

/// The sandbox of the helper. If a malicious file takes control of a decoder, Landlock and seccomp prevent it from
/// doing anything that the job does not require. Some systems lack a part of the sandbox. These settings and findings
/// apply to the whole process.
extension HelperRenderer {
  private struct Sandbox {
    var isRequired = false
    var state: ConfinementState?
    var report: (@Sendable (Message) -> Void)?
  }

  private static let sandbox = Mutex(Sandbox())

  /// Whether the sandbox is required. If true, jobs fail on systems without Landlock or seccomp filters, because the
  /// helper then refuses to open files. The default is false. Set this property before the first job.
  public static var requiresSandbox: Bool {
    get { sandbox.withLock { $0.isRequired } }
    set { sandbox.withLock { $0.isRequired = newValue } }
  }

  /// A sentence about the parts of the sandbox that this system lacks. Nil before the first job, and if no part is
  /// missing.
  public static var sandboxWarning: Message? { sandbox.withLock { $0.state?.warning } }

  /// Reports the sandbox warning once, as soon as a helper states that a part of the sandbox is missing.
  ///
  /// - Parameter report: Receives the warning. The closure may be called on any thread.
  public static func reportMissingSandbox(to report: @escaping @Sendable (Message) -> Void) {
    sandbox.withLock { $0.report = report }
  }

  /// Stores the restrictions that a helper reported.
  static func note(_ state: ConfinementState) {
    let report = sandbox.withLock { sandbox in
      sandbox.state = state
      guard state.warning != nil else { return (@Sendable (Message) -> Void)?.none }
      defer { sandbox.report = nil }
      return sandbox.report
    }
    if let warning = state.warning { report?(warning) }
  }

  /// Asks a helper for the restrictions in force, unless a helper has already reported them.
  package func learnSandbox() {
    if Self.sandbox.withLock({ $0.state == nil }) { _ = try? description() }
  }
}
