import Basics
import Confinement
import EditModel
import FileSystem
import RenderEngine

extension HelperJob {
  /// Confines this process to the job: it can open the job's files, write where its outputs go, and do nothing else. Called
  /// before the first byte of those files is read, and before there is a second thread.
  ///
  /// - Parameter state: what holds already.
  /// - Returns: what holds from now on.
  /// - Throws: why the kernel did not do what it can.
  func confine(since state: ConfinementState) throws(EditError) -> ConfinementState {
    var state = try Confinement.enter(for: self, since: state)
    // Headers are read in Swift alone, behind those walls already.
    let work = try Confinement.limit(to: .ofHeaders) { WorkLimits.Work(of: inputs) }
    state.limits = try Confinement.limit(
      to: WorkLimits(work, processors: HostSystem.processors, computersMemory: HostSystem.memory))
    return state
  }
}
