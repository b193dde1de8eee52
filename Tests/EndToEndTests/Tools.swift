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

/// The committed Live Photos, which scripts/make-fixtures describes.
enum Fixture: String, CaseIterable {
  case portrait = "IMG_0001"
  case mirrored = "IMG_0002"
  case landscape = "IMG_0003"

  /// The folder with the committed files, which must not be written to.
  static let folder = TestFiles.project.appendingPathComponent("Fixtures")

  /// Returns the paths of the fixture's files in `folder`, by default the committed ones.
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

/// Creates a folder with copies of committed files and an empty subfolder `out` for results.
func prepared(_ names: String...) throws -> (folder: TemporaryFolder, out: URL) {
  let folder = try TemporaryFolder()
  for name in names { try folder.copy(TestFiles.fixture(name)) }
  let out = folder.file("out")
  try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
  return (folder, out)
}

/// Returns exiftool's tags with unformatted numbers, keyed by group and tag name (“IFD0:Orientation”). If a name occurs
/// more than once, the first value is used.
func tags(of file: URL, _ options: String...) throws -> [String: String] {
  let result = try Tools.ask(["exiftool", "-args", "-G1", "-n", "-a", "-U"] + options, about: file)
  guard result.status == 0 else { throw ToolFailure("exiftool \(file.path): \(result.standardError)") }
  return keyValues(result.lines.map { String($0.drop(while: { $0 == "-" })) })
}

/// Returns ffprobe's data about a movie's streams, keyed by flat names (“streams.stream.0.codec_name”).
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

/// Returns the times of a movie's frames in seconds, in display order.
func frameTimes(of movie: URL) throws -> [Double] {
  try Tools.ffprobe(movie, "-select_streams", "v:0", "-show_entries", "frame=pts_time")
    .compactMap { Double($0.split(separator: ",").first ?? "") }
}
