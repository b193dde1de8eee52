import Basics
import EditLibrary
import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of originals that are replaced for a moment while they are rendered.
@Suite struct UndisturbedRenderTests {
  /// A renderer that copies the intermediate files, as often as requested.
  private final class Swapping: Renderer {
    private let copying = CopyingRenderer()
    private let left: Mutex<Int>
    private let original: URL

    init(_ original: URL, times: Int) {
      self.original = original
      left = Mutex(times)
    }

    var count: Int { copying.jobs.count }

    func render(
      _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
      isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> RenderResult {
      let isSwapped = left.withLock { left in
        left -= 1
        return left >= 0
      }
      let (manager, aside) = (FileManager.default, original.appendingPathExtension("aside"))
      do {
        if isSwapped {
          try manager.moveItem(at: original, to: aside)
          try manager.copyItem(at: TestFiles.fixture("IMG_0003.JPG"), to: original)
        }
        let result = try copying.render(job, progress: progress, isCancelled: isCancelled)
        if isSwapped {
          try manager.removeItem(at: original)
          try manager.moveItem(at: aside, to: original)
        }
        return result
      } catch {
        throw EditError(.renderer, "\(error)")
      }
    }
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    return folder
  }

  /// Rotates the photo of a folder and returns the path of its render.
  private func turn(_ folder: TemporaryFolder, isElsewhere: Bool, _ renderer: any Renderer) throws -> URL {
    var locator = AssetLocator()
    let asset = try locator.locate(folder.file("IMG_0001.JPG").path)
    let editor = AssetEditor(renderer: renderer)
    if isElsewhere {
      _ = try editor.edit(asset, into: folder.file("out").path, .turn(.right))
      return folder.file("out/IMG_E0001.JPG")
    }
    _ = try editor.edit(asset, .turn(.right))
    return folder.file("IMG_E0001.JPG")
  }

  @Test(arguments: [false, true])
  func whatTheOriginalIsIsRendered(isElsewhere: Bool) throws {
    let (expected, folder) = (try self.folder(), try self.folder())
    let undisturbed = try Data(
      contentsOf: turn(expected, isElsewhere: isElsewhere, CopyingRenderer()))
    let renderer = Swapping(folder.file("IMG_0001.JPG"), times: 2)
    let made = try turn(folder, isElsewhere: isElsewhere, renderer)
    #expect(renderer.count == 3)
    #expect(try Data(contentsOf: made) == undisturbed)
  }

  @Test(arguments: [false, true])
  func filesThatDoNotComeToRestAreNotRendered(isElsewhere: Bool) throws {
    let folder = try folder()
    let renderer = Swapping(folder.file("IMG_0001.JPG"), times: .max)
    let refused = #expect(throws: EditError.self) {
      try turn(folder, isElsewhere: isElsewhere, renderer)
    }
    #expect(refused?.code == .changedOriginal && refused?.file == folder.file("IMG_0001.JPG").path)
    #expect(try folder.names().filter { $0 != ".liveedit" } == ["IMG_0001.JPG", "IMG_0001.MOV", "out"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
  }

  /// A backup creates hard links, which do not count as a change of a file.
  @Test func anotherNameIsNoChange() throws {
    final class Linking: Renderer {
      let copying = CopyingRenderer()
      let link: URL
      init(_ link: URL) { self.link = link }

      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        if copying.jobs.isEmpty, let photo = job.photo {
          try? FileManager.default.linkItem(at: URL(fileURLWithPath: photo.source), to: link)
        }
        return try copying.render(job, progress: progress, isCancelled: isCancelled)
      }
    }
    let folder = try folder()
    let renderer = Linking(folder.file("out/backup.JPG"))
    let made = try turn(folder, isElsewhere: false, renderer)
    #expect(renderer.copying.jobs.count == 1 && FileManager.default.fileExists(atPath: made.path))
  }
}
