import EditModel
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension NameBasedUUIDTests {
  @Test(arguments: Orientation.allCases)
  func pythonGivesTheSame(_ orientation: Orientation) throws {
    let base = "602FEBB7-6B59-4799-96E6-9C8484D873C7"
    let adjustment = AdjustmentData(
      edit: Edit(orientation: orientation), settings: RenderSettings(quality: .high))
    let program = """
      import sys, uuid
      namespace = uuid.UUID('6f1c7b0e-52d3-4a38-9be1-3d5f08c4a792')
      print(str(uuid.uuid5(namespace, sys.argv[1] + '\\n' + sys.argv[3] + '\\n' + sys.argv[2])).upper())
      """
    let text = String(decoding: adjustment.data, as: UTF8.self)
    let answer = try Tools.run(["python3", "-c", program, base, text, adjustment.formatVersion])
    #expect(try NameBasedUUID.renderIdentifier(base: base, adjustment: adjustment) == answer.lines.first)
    // If the base has no pair identifier, the render does not have one either, nor does a photo without a movie.
    #expect(try NameBasedUUID.renderIdentifier(base: nil, adjustment: adjustment) == nil)
    let alone = AdjustmentData(edit: Edit(motion: try Motion(isLiveOff: true)), settings: .standard)
    #expect(try NameBasedUUID.renderIdentifier(base: base, adjustment: alone) == nil)
  }
}
