import EditModel
import Foundation
import RenderEngine
import TestSupport

extension TemporaryFolder {
  /// Renders a photo alone into the folder, replacing an earlier render of that name.
  func rendered(
    _ photo: URL, _ edit: Edit, _ settings: RenderSettings, as name: String
  ) throws -> (result: RenderResult, photo: URL) {
    let output = file(name)
    try? FileManager.default.removeItem(at: output)
    let job = RenderJob(
      photo: .init(source: photo.path, output: output.path), movie: nil, edit: edit, settings: settings,
      identifier: nil)
    return (try render(job, progress: { _ in }, isCancelled: { false }), output)
  }
}
