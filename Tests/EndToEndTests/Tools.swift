import Foundation
import TestSupport

/// Calls `body` with a new folder and removes the folder afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) { try body(folder.url) }
}

/// The two halves of a Live Photo.
struct PairFiles {
  var photo: URL
  var movie: URL
}

/// The committed Live Photos; scripts/make-fixtures says what each one is.
enum Fixture: String, CaseIterable {
  case portrait = "IMG_0001"
  case mirrored = "IMG_0002"
  case landscape = "IMG_0003"

  /// The folder with the committed files: not to be written to.
  static let folder = TestFiles.project.appendingPathComponent("Fixtures")

  /// The files under `folder`, or the committed ones.
  func files(in folder: URL = Fixture.folder) -> PairFiles {
    PairFiles(
      photo: folder.appendingPathComponent("\(rawValue).JPG"),
      movie: folder.appendingPathComponent("\(rawValue).MOV"))
  }

  /// Copies both halves into `folder`.
  func copy(to folder: URL) throws -> PairFiles {
    let (from, to) = (files(), files(in: folder))
    try FileManager.default.copyItem(at: from.photo, to: to.photo)
    try FileManager.default.copyItem(at: from.movie, to: to.movie)
    return to
  }
}

/// A folder with copies of committed files, and an empty folder `out` in it for what is made of them.
func prepared(_ names: String...) throws -> (folder: TemporaryFolder, out: URL) {
  let folder = try TemporaryFolder()
  for name in names { try folder.copy(TestFiles.fixture(name)) }
  let out = folder.file("out")
  try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
  return (folder, out)
}

/// What exiftool says, numbers unformatted, by group and tag name (“IFD0:Orientation”). Of equal names the first.
func tags(of file: URL, _ options: String...) throws -> [String: String] {
  let result = try Tools.ask(["exiftool", "-args", "-G1", "-n", "-a", "-U"] + options, about: file)
  guard result.status == 0 else { throw ToolFailure("exiftool \(file.path): \(result.standardError)") }
  return keyValues(result.lines.map { String($0.drop(while: { $0 == "-" })) })
}

/// What ffprobe says of a movie's streams, by its flat names (“streams.stream.0.codec_name”).
func streams(of movie: URL) throws -> [String: String] {
  let result = try Tools.ask(["ffprobe", "-v", "error", "-show_streams", "-of", "flat"], about: movie)
  guard result.status == 0 else { throw ToolFailure("ffprobe \(movie.path): \(result.standardError)") }
  return keyValues(result.lines).mapValues { $0.trimmingCharacters(in: ["\""]) }
}

private func keyValues(_ lines: [String]) -> [String: String] {
  let pairs = lines.compactMap { line -> (String, String)? in
    guard let mark = line.firstIndex(of: "=") else { return nil }
    return (String(line[..<mark]), String(line[line.index(after: mark)...]))
  }
  return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}

/// The times of a movie's frames in seconds, in the order in which they are shown.
func frameTimes(of movie: URL) throws -> [Double] {
  try Tools.ffprobe(movie, "-select_streams", "v:0", "-show_entries", "frame=pts_time")
    .compactMap { Double($0.split(separator: ",").first ?? "") }
}
