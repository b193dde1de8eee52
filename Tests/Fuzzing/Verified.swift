import Basics
import LivePhotoFormat

/// What verification says of one half without decoding it: a file that it took must not become one that it refuses.
struct Verified {
  /// What writing does to the identifier that ties the halves.
  enum Tie {
    /// It leaves it as it is.
    case kept
    /// It sets it.
    case tied
    /// It takes it out, or may do so.
    case untied
  }

  /// The rules of severity error that are broken, and whether something was not checked.
  private let broken: Set<VerificationRule>

  /// Rules that a half alone breaks.
  private static let ofPairs: Set<VerificationRule> = [.photoMissing, .movieMissing]
  /// Rules about the identifier, which is set, kept or taken out on purpose.
  private static let ofIdentifiers: Set<VerificationRule> = [
    .photoIdentifier, .movieIdentifier, .metadataPlain,
  ]

  private init(_ verification: LivePhotoVerification) {
    broken = Set(
      verification.findings.filter { $0.severity == .error || $0.rule == .notChecked }.map(\.rule)
    ).subtracting(Self.ofPairs)
  }

  /// Verifies a photo, by what it is and whatever it is called.
  init(_ photo: Photo) throws {
    self.init(LivePhotoVerification(photo: try PhotoEvidence(photo, fileExtension: "")))
  }

  /// Verifies a movie.
  init(movie source: any ByteSource) throws {
    self.init(LivePhotoVerification(movie: try MovieEvidence(reading: source)))
  }

  /// Ends the process where this half was sound, and what was written of it is not.
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
