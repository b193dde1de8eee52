import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct CubeFileTests {
  func parse(_ text: String) throws -> LookTable { try CubeFile.parse(Array(text.utf8)) }

  private func values(_ grid: LookTable.Grid) -> [Double] {
    grid.samples.map { Double($0) / 32768 - 0.5 }
  }

  @Test func curvesLatticesAndBoth() throws {
    let curves = try parse(
      "# by hand\r\nTITLE \"A b\"\r\nLUT_1D_SIZE 3\r\n0 0 0\r\n.25 0.5 0.75\r\n1 1 1\r\n")
    #expect(curves.title == "A b")
    #expect(curves.lattice == nil)
    #expect(try values(#require(curves.curves)) == [0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1])

    let points = (0..<8).map { "\($0 & 1)\t\($0 >> 1 & 1)  \($0 >> 2).0" }.joined(separator: "\n")
    let lattice = try parse("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 -1\nDOMAIN_MAX 1 2 1e0\n" + points)
    let grid = try #require(lattice.lattice)
    #expect(lattice.curves == nil)
    #expect(values(grid) == [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1])
    #expect(
      grid.domainMinimum == [0, 0, -1_000_000] && grid.domainMaximum == [1_000_000, 2_000_000, 1_000_000])

    let both = try parse(
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -0.1 1.1\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n\n" + points + "\n")
    #expect(both.curves?.domainMinimum == [-100_000, -100_000, -100_000])
    #expect(both.lattice?.domainMaximum == [1_000_000, 1_000_000, 1_000_000])
    #expect(both.curves?.size == 2 && both.lattice?.size == 2)
  }

  @Test func valuesBeyondWhiteAreKept() throws {
    let table = try parse("LUT_1D_SIZE 2\n-0.25 0 0\n1.25 9 -9\n")
    #expect(try values(#require(table.curves)) == [-0.25, 0, 0, 1.25, 65535.0 / 32768 - 0.5, -0.5])
  }

  @Test(arguments: [
    ("", "neither"), ("LUT_1D_SIZE 2\n0 0 0\n", "ends after 1 of its 2"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", "line 4"), ("LUT_1D_SIZE 2\n0 0 0\n\n1 1\n", "line 4"),
    ("LUT_3D_SIZE 66\n", "line 1"), ("LUT_3D_SIZE 1\n", "from 2 to 65"), ("LUT_3D_SIZE\n", "line 1"),
    ("LUT_3D_SIZE 99999999999999999999\n", "line 1"), ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", "line 2"),
    ("0 0 0\n", "line 1"), ("LUT_1D_SIZE 2\n0 0 nan\n", "line 2"),
    ("LUT_1D_SIZE 2\r0 0 0\r0 x 0\r", "line 3"),
    ("LUT_1D_SIZE 2\n0 0 1e999\n", "line 2"), ("BLOB 3\n", "line 1"), ("DOMAIN_MIN 0 0\n", "line 1"),
    ("DOMAIN_MIN 0 0 1e9\n", "line 1"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\nDOMAIN_MAX 1 1 1\n0 0 0\n1 1 1\n", "domain"),
    ("\u{0}\u{1}\u{FF}", "line 1"), ("LUT_1D_INPUT_RANGE 0\n", "line 1"),
  ])
  func damageIsNamed(_ text: String, _ part: String) {
    #expect {
      try parse(text)
    } throws: { error in
      (error as? MediaError)?.description.contains(part) ?? false
    }
  }
}
