import Basics
import LivePhotoFormat

/// The result of verifying one half without decoding it. A file that was accepted must not become a file that is
/// refused.
struct Verified {
  /// The effect of writing on the pair identifier.
  enum Tie {
    /// Writing keeps the identifier.
    case kept
    /// Writing sets the identifier.
    case tied
    /// Writing removes the identifier, or may do so.
    case untied
  }

  /// The violated rules of severity error, and whether some part was not checked.
  private let broken: Set<VerificationRule>

  /// Rules that a half violates merely because it has no other half.
  private static let ofPairs: Set<VerificationRule> = [.photoMissing, .movieMissing]
  /// Rules about the identifier, which is set, kept or removed on purpose.
  private static let ofIdentifiers: Set<VerificationRule> = [
    .photoIdentifier, .movieIdentifier, .metadataPlain,
  ]

  private init(_ verification: LivePhotoVerification) {
    broken = Set(
      verification.findings.filter { $0.severity == .error || $0.rule == .notChecked }.map(\.rule)
    ).subtracting(Self.ofPairs)
  }

  /// Verifies a photo by its content, whatever its name.
  init(_ photo: Photo) throws {
    self.init(LivePhotoVerification(photo: try PhotoEvidence(photo, fileExtension: "")))
  }

  /// Verifies a movie.
  init(movie source: any ByteSource) throws {
    self.init(LivePhotoVerification(movie: try MovieEvidence(reading: source)))
  }

  /// Ends the process if this half was sound and the version written from it is not.
  func expectSound(_ written: Verified, _ tie: Tie) {
    guard broken.isSubset(of: Self.ofIdentifiers) else { return }
    let allowed: Set<VerificationRule> =
      switch tie {
      case .kept: broken
      case .tied: []
      case .untied: Self.ofIdentifiers
      }
    let new = written.broken.subtracting(allowed)
    expect(
      new.isEmpty,
      "a half that was sound breaks rules now that it was written: \(new.map(\.rawValue).sorted())")
  }
}
