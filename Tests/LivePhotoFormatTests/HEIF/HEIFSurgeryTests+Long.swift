import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension HEIFSurgeryTests {
  /// The samples with every rotation and mirror image, or in a quick run one transform each.
  static func samples(_ turns: [Orientation]) -> [(name: String, turn: Orientation)] {
    HEICPhotos.samples.enumerated().flatMap { index, name in
      Cases.chosen(turns) { number, _ in number % 3 == index % 3 }.map { (name, $0) }
    }
  }

  @Test(arguments: samples(Orientation.allCases))
  func turnsWhatBelongsTogetherInRealOnes(name: String, turn: Orientation) throws {
    try turnsWhatBelongsTogether(name: name, turn: turn)
  }

  @Test(arguments: samples([.right, .upMirrored, .up]))
  func exifOfRealOnesSaysTheSame(name: String, turn: Orientation) throws {
    try exifSaysTheSame(name: name, turn: turn)
  }
}
