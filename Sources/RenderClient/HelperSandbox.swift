public import Basics
import EditModel
import Synchronization

/// The sandbox of the helper: Landlock and seccomp, which keep a malicious file that took over a decoder from all but its job. Some
/// systems lack a part of it. What is known and wanted here holds for the whole process.
extension HelperRenderer {
  private struct Sandbox {
    var isRequired = false
    var state: ConfinementState?
    var report: (@Sendable (Message) -> Void)?
  }

  private static let sandbox = Mutex(Sandbox())

  /// True if the helper opens files only where the system has Landlock and seccomp filters; elsewhere its jobs fail. False at first.
  /// To be set before the first job.
  public static var requiresSandbox: Bool {
    get { sandbox.withLock { $0.isRequired } }
    set { sandbox.withLock { $0.isRequired = newValue } }
  }

  /// A sentence about the parts of the sandbox that this system lacks; nil where it lacks none, and before the first job.
  public static var sandboxWarning: Message? { sandbox.withLock { $0.state?.warning } }

  /// Has that sentence reported, once, as soon as a helper says that something is missing.
  ///
  /// - Parameter report: told the sentence, on any thread.
  public static func reportMissingSandbox(to report: @escaping @Sendable (Message) -> Void) {
    sandbox.withLock { $0.report = report }
  }

  /// Takes note of how a helper is confined.
  static func note(_ state: ConfinementState) {
    let report = sandbox.withLock { sandbox in
      sandbox.state = state
      guard state.warning != nil else { return (@Sendable (Message) -> Void)?.none }
      defer { sandbox.report = nil }
      return sandbox.report
    }
    if let warning = state.warning { report?(warning) }
  }

  /// Asks a helper how it is confined, unless one has said so.
  package func learnSandbox() {
    if Self.sandbox.withLock({ $0.state == nil }) { _ = try? description() }
  }
}
