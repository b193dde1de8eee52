/// A word that nobody guesses: 192 bits of the system's random source, as letters and digits that need no escape in
/// addresses.
struct Secret: Sendable {
  /// The word.
  let text: String

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  /// A new one. `SystemRandomNumberGenerator` asks getrandom(2).
  init() {
    var generator = SystemRandomNumberGenerator()
    text = String((0..<32).map { _ in Self.alphabet[Int.random(in: 0..<64, using: &generator)] })
  }

  /// One that somebody else chose.
  ///
  /// - Parameter text: the word.
  init(_ text: String) { self.text = text }

  /// True if a word is this one. How long it takes says nothing of where they differ.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, theirs) = (Array(text.utf8), Array(other.utf8))
    guard own.count == theirs.count else { return false }
    var difference: UInt8 = 0
    for (one, another) in zip(own, theirs) { difference |= one ^ another }
    return difference == 0
  }
}
