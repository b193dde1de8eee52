import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests that an existing file at an output's path is refused as an output and kept.
@Suite struct ExistingOutputTests {
  private let folder: TemporaryFolder
  private let photo = TestFiles.fixture("IMG_0003.JPG").path
  private let movie = TestFiles.fixture("IMG_0003.MOV").path
  private let precious = Array("precious".utf8)

  init() throws { folder = try TemporaryFolder() }

  /// Writes a file at an output's path and checks that it is unchanged afterwards.
  private func isKept(_ name: String, _ body: (String) throws -> Void) throws {
    try folder.write(precious, to: name)
    let error = #expect(throws: EditError.self) { try body(folder.file(name).path) }
    #expect(error?.code == .inTheWay && error?.file == folder.file(name).path)
    #expect(try Array(Data(contentsOf: folder.file(name))) == precious)
  }

  private func render(_ photo: RenderJob.Half?, _ movie: RenderJob.Half?) throws {
    let job = RenderJob(
      photo: photo, movie: movie, edit: Edit(orientation: .right), settings: .standard, identifier: nil)
    _ = try InProcessRenderer().render(job, progress: { _ in }, isCancelled: { false })
  }

  @Test func ofAPhoto() throws {
    try isKept("photo") { try render(.init(source: photo, output: $0), nil) }
  }

  @Test func ofAMovie() throws {
    let made = folder.file("made").path
    try isKept("movie") { path in
      try render(.init(source: photo, output: made), .init(source: movie, output: path))
    }
    #expect(!FileManager.default.fileExists(atPath: made))
  }

  @Test func ofAConversion() throws {
    let jobs: [(String) -> ConversionJob] = [
      { .movie(MovieConversion(source: movie, output: $0, container: .mp4)) },
      { .frame(movie: movie, seconds: 0, output: $0) }, { .preview(movie: movie, output: $0, kind: .gif) },
      { .image(ImageConversion(source: photo, output: $0, profile: .srgb)) },
    ]
    for (index, job) in jobs.enumerated() {
      try isKept("file\(index)") { _ = try InProcessRenderer().convert(job($0), isCancelled: { false }) }
    }
  }
}
