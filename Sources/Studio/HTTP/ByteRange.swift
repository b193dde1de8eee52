/// The bytes that a request asks for of a file (RFC 9110 section 14).
enum ByteRange: Hashable, Sendable {
  /// All of them: nothing was asked for, or nothing that makes sense.
  case whole
  /// These.
  case part(Range<Int>)
  /// None that the file has.
  case unsatisfiable

  /// Reads the header `Range`. A unit other than bytes, several ranges and what is no range are passed over, as section
  /// 14.2 allows.
  ///
  /// - Parameters:
  ///   - header: its value; nil where there is none.
  ///   - count: the file's number of bytes.
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

  /// A number of digits alone; the greatest one for what is larger. Nil for what is none, and `.some(nil)` for nothing.
  private static func number(_ text: String) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return .some(Int(text) ?? Int.max - 1)
  }
}
