import EditModel
import FileSystem

/// Temporary: stands in for the render engine. Copies the halves and puts the new identifier in place of
/// the old one, wherever it stands.
func render(
  _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
  isCancelled: @escaping @Sendable () -> Bool
) throws -> RenderResult {
  var result = RenderResult()
  for half in [job.photo, job.movie].compactMap({ $0 }) {
    do {
      let source = try FileByteSource(path: half.source)
      var bytes = try source.read(at: 0, count: source.count)
      if let identifier = job.identifier { replaceIdentifiers(in: &bytes, by: Array(identifier.utf8)) }
      do {
        try File.create(half.output, bytes: bytes)
      } catch {
        throw EditError(writing: half.output, error)
      }
    } catch {
      for half in [job.photo, job.movie] { if let half { _ = try? File.remove(half.output) } }
      throw EditError(reading: half.source, error)
    }
    progress(RenderProgress(fraction: half == job.movie ? 1 : 0.5))
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }
  }
  result.photo = job.photo.map { _ in .copied }
  result.movie = job.movie.map { _ in .copied }
  if job.movie != nil {
    result.removals = [
      Removal(
        half: .movie, name: "com.apple.quicktime.live-photo-info", reason: "describes places in the picture")
    ]
  }
  return result
}

private func replaceIdentifiers(in bytes: inout [UInt8], by identifier: [UInt8]) {
  let marks = [[0, 0x11, 0, 2, 0, 0, 0, 0x25], Array("com.apple.quicktime.content.identifier".utf8)]
  for mark in marks {
    guard var at = bytes.firstRange(of: mark)?.upperBound else { continue }
    while at + 36 <= bytes.count {
      let isIdentifier = zip(bytes[at..<at + 36], 0...).allSatisfy { byte, place in
        [8, 13, 18, 23].contains(place)
          ? byte == UInt8(ascii: "-") : (48...57).contains(byte) || (65...70).contains(byte)
      }
      if isIdentifier {
        bytes.replaceSubrange(at..<at + 36, with: identifier)
        break
      }
      at += 1
    }
  }
}
