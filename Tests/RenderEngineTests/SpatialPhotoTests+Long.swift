import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension SpatialPhotoTests {
  /// Both pictures are rotated, and each eye gets the picture on its side.
  @Test(arguments: Cases.chosen(Array(Orientation.allCases.dropFirst())) { index, _ in index % 3 == 0 })
  func bothPicturesTurn(_ turn: Orientation) throws {
    let (result, photo) = try rendered(Edit(orientation: turn))
    #expect(result.photo == .copied)
    let program = """
      import sys, numpy, pillow_heif
      turns = [None, lambda a: a, lambda a: a[:, ::-1], lambda a: a[::-1, ::-1], lambda a: a[::-1],
          lambda a: a.swapaxes(0, 1), lambda a: numpy.rot90(a, -1), lambda a: a[::-1, ::-1].swapaxes(0, 1),
          lambda a: numpy.rot90(a, 1)]
      old, new = pillow_heif.open_heif(sys.argv[1]), pillow_heif.open_heif(sys.argv[2])
      pairs = [(numpy.asarray(a), numpy.asarray(b)) for a, b in zip(old, new)]
      print(len(new), *(numpy.array_equal(turns[int(sys.argv[3])](a), b) for a, b in pairs),
          numpy.array_equal(pairs[0][0], pairs[1][0]))
      """
    let answer = try Tools.run(
      ["python3", "-c", program, Self.fixture.path, photo.path, String(turn.rawValue)])
    #expect(answer.text == "2 True True False\n", "\(answer.standardError)")

    let (old, new) = (try WalkedHEIF.read(Self.fixture), try WalkedHEIF.read(photo))
    #expect(new.primary == old.primary)
    #expect(new[1]?.sha == old[1]?.sha && new[2]?.sha == old[2]?.sha)
    let pairs = new.groups.filter { $0.kind == "ster" }.map(\.to)
    switch turn {
    case .down, .upMirrored: #expect(pairs == [[2, 1]])
    case .downMirrored: #expect(pairs == [[1, 2]])
    default: #expect(pairs == [])
    }
    #expect(result.removals.map(\.name) == (pairs.isEmpty ? ["ster"] : []))
    // Two 180° rotations restore the original.
    #expect(old.groups.map(\.to) == [[1, 2]])
  }
}
