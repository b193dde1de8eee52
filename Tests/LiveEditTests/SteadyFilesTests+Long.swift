import Basics
import EditLibrary
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of files that change while another file is created from them.
@Suite struct SteadyFilesTests {
  /// A change that happens to a movie.
  enum Event: CaseIterable {
    /// Another file takes over the movie's name, as when another program saves.
    case replaced
    /// The movie is overwritten with the same number of other bytes, and its timestamp is set back.
    case overwritten
    /// A backup creates a hard link to the movie.
    case linked

    func happen(to movie: URL) throws {
      let manager = FileManager.default
      switch self {
      case .replaced:
        let other = movie.appendingPathExtension("new")
        try manager.copyItem(at: TestFiles.fixture("IMG_0003.MOV"), to: other)
        _ = try manager.replaceItemAt(movie, withItemAt: other)
      case .overwritten:
        let time = try manager.attributesOfItem(atPath: movie.path)[.modificationDate]
        let file = try FileHandle(forWritingTo: movie)
        try file.seekToEnd()
        try file.seek(toOffset: file.offset() - 1)
        try file.write(contentsOf: [0])
        try file.close()
        try manager.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: movie.path)
      case .linked: try manager.linkItem(at: movie, to: movie.appendingPathExtension(UUID().uuidString))
      }
    }
  }

  /// A converter and renderer that causes the event while it decodes the result, the last step before the result gets
  /// its name.
  private struct Disturbing: MediaConverter, Renderer {
    let engine = InProcessRenderer()
    let movie: URL
    let event: Event

    func check(
      _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> PictureCheck {
      do { try event.happen(to: movie) } catch { throw EditError(.renderer, "\(error)") }
      return try engine.check(job, isCancelled: isCancelled)
    }

    func convert(
      _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> ConversionResult { try engine.convert(job, isCancelled: isCancelled) }

    func render(
      _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
      isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> RenderResult {
      try engine.render(job, progress: progress, isCancelled: isCancelled)
    }
  }

  /// Creates files from a Live Photo while the event happens to its movie, and checks whether they were published.
  private func expect(
    _ event: Event, _ make: (_ photo: URL, _ movie: URL, _ out: URL, Disturbing) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let files = try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    let converter = Disturbing(movie: files[1], event: event)
    if event == .linked {
      try make(files[0], files[1], out, converter)
    } else {
      let refused = #expect(throws: EditError.self) { try make(files[0], files[1], out, converter) }
      #expect(refused?.code == .changedOriginal && refused?.file == files[1].path, "\(refused as Any)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out.path).count == (event == .linked ? 2 : 0))
  }

  @Test(arguments: Event.allCases) func aLivePhotoThatIsMade(_ event: Event) throws {
    try expect(event) { photo, movie, out, converter in
      _ = try LivePhoto.create(
        photo: photo.path, movie: movie.path, stillTime: 0.2, range: nil, into: out.path,
        converter: converter, isCancelled: { false })
    }
  }

  @Test(arguments: Event.allCases) func onesThatAreTied(_ event: Event) throws {
    try expect(event) { photo, movie, out, converter in
      _ = try PairTying(photo.path, movie.path).write(into: out.path, checkedBy: converter)
    }
  }

  @Test(arguments: Event.allCases) func oneThatIsHandedOn(_ event: Event) throws {
    try expect(event) { photo, _, out, converter in
      var locator = AssetLocator()
      _ = try Exporter(renderer: converter).export(
        try locator.locate(photo.path), ExportOptions(.pair), into: out.path)
    }
  }
}
