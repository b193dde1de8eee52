/// An unguessable string: 192 bits from the system's random source, written with letters and digits that need no
/// escaping in addresses.
struct Secret: Sendable {
  /// The text of the secret.
  let text: String

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  /// Creates a new secret. `SystemRandomNumberGenerator` calls getrandom(2).
  init() {
    var generator = SystemRandomNumberGenerator()
    text = String((0..<32).map { _ in Self.alphabet[Int.random(in: 0..<64, using: &generator)] })
  }

  /// Creates a secret from an existing text.
  ///
  /// - Parameter text: The text.
  init(_ text: String) { self.text = text }

  /// Returns whether a string equals the secret. The duration of the comparison does not reveal where the strings
  /// differ.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, theirs) = (Array(text.utf8), Array(other.utf8))
    guard own.count == theirs.count else { return false }
    var difference: UInt8 = 0
    for (one, another) in zip(own, theirs) { difference |= one ^ another }
    return difference == 0
  }
}
