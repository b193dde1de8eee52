import Basics
import Confinement
import EditModel
import FileSystem
import RenderEngine

extension HelperJob {
  /// Confines this process to the job. From then on, the process can open the job's files and write to the folders of
  /// the job's outputs, but cannot do anything else. Call this method before the first byte of the files is read and
  /// before a second thread is started.
  ///
  /// - Parameter state: The restrictions already in force.
  /// - Returns: The restrictions in force after the call.
  /// - Throws: An error if the kernel supports a restriction but fails to apply it.
  func confine(since state: ConfinementState) throws(EditError) -> ConfinementState {
    var state = try Confinement.enter(for: self, since: state)
    // Only Swift code parses the headers, and file access is already restricted.
    let work = try Confinement.limit(to: .ofHeaders) { WorkLimits.Work(of: inputs) }
    state.limits = try Confinement.limit(
      to: WorkLimits(work, processors: HostSystem.processors, computersMemory: HostSystem.memory))
    return state
  }
}
