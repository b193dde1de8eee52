/// The byte range of a file that a request specifies (RFC 9110 section 14).
enum ByteRange: Hashable, Sendable {
  /// The whole file, because the request specifies no range or an invalid range.
  case whole
  /// A part of the file.
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses the `Range` header. Units other than bytes, multiple ranges and invalid ranges are ignored, as section 14.2
  /// allows.
  ///
  /// - Parameters:
  ///   - header: The value of the header; nil if it is missing.
  ///   - count: The size of the file in bytes.
  init(_ header: String?, of count: Int) {
    self = .whole
    guard let header else { return }
    let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let length?):
      self = length > 0 && count > 0 ? .part(max(0, count - length)..<count) : .unsatisfiable
    case (let start?, let last):
      if let last, last < start { return }
      self = start < count ? .part(start..<min(last.map { $0 &+ 1 } ?? count, count)) : .unsatisfiable
    }
  }

  /// Parses a number that consists only of digits. A number that is too large becomes the maximum. The result is nil
  /// for an invalid number and `.some(nil)` for an empty string.
  private static func number(_ text: String) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return .some(Int(text) ?? Int.max - 1)
  }
}
