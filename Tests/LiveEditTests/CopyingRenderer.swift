import Basics
import EditModel
import Foundation
import Synchronization

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// A stand-in for the render engine. It copies the halves, replaces the old identifier with the new one, and appends a
/// line that identifies the edit and the build, so that different renders have different bytes.
final class CopyingRenderer: Renderer {
  private let received = Mutex<[RenderJob]>([])
  private let failure: EditError?
  private let build: String

  /// - Parameters:
  ///   - failure: The error that every render throws.
  ///   - build: The build that every render reports.
  init(failure: EditError? = nil, build: String = "copying") {
    self.failure = failure
    self.build = build
  }

  /// The jobs received so far.
  var jobs: [RenderJob] { received.withLock { $0 } }

  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    received.withLock { $0.append(job) }
    if let failure { throw failure }
    do {
      for half in [job.photo, job.movie].compactMap({ $0 }) {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: half.source))
        if let identifier = job.identifier { replaceIdentifier(in: &bytes, by: Data(identifier.utf8)) }
        let edit = Data("\(job.edit.orientation.rawValue) \(job.settings) \(build)".utf8)
        // The line is stored in a free atom at the end of a movie, or after the image in a photo.
        if half == job.movie {
          bytes += withUnsafeBytes(of: UInt32(edit.count + 8).bigEndian) { Data($0) } + Data("free".utf8)
        }
        bytes += edit
        try bytes.write(to: URL(fileURLWithPath: half.output), options: .withoutOverwriting)
      }
    } catch {
      throw EditError(.renderer, "\(error)")
    }
    return RenderResult(
      photo: job.photo.map { _ in .copied }, movie: job.movie.map { _ in .copied }, build: build)
  }

  private func replaceIdentifier(in bytes: inout Data, by identifier: Data) {
    for mark in [Data([0, 0x11, 0, 2, 0, 0, 0, 0x25]), Data("com.apple.quicktime.content.identifier".utf8)] {
      guard let start = bytes.range(of: mark)?.upperBound else { continue }
      for at in start..<(bytes.count - 36) {
        let text = String(decoding: bytes[at..<at + 36], as: UTF8.self)
        if text.count == 36, UUID(uuidString: text) != nil {
          bytes.replaceSubrange(at..<at + 36, with: identifier)
          break
        }
      }
    }
  }
}
