import Testing

@testable import EditModel

@Suite struct OrientationTests {
  /// Rotates or mirrors a small matrix of numbers cell by cell. All other tests here are compared with this function.
  func turned(_ rows: [[Int]], _ orientation: Orientation) -> [[Int]] {
    let height = rows.count
    let width = rows[0].count
    func columns() -> [[Int]] { (0..<width).map { x in (0..<height).map { y in rows[y][x] } } }
    switch orientation {
    case .up: return rows
    case .upMirrored: return rows.map { $0.reversed() }
    case .down: return rows.reversed().map { $0.reversed() }
    case .downMirrored: return rows.reversed()
    case .leftMirrored: return columns()
    case .right: return columns().map { $0.reversed() }
    case .rightMirrored: return columns().reversed().map { $0.reversed() }
    case .left: return columns().reversed()
    }
  }

  let picture = [[1, 2, 3], [4, 5, 6]]

  @Test func compositionIsThatOfThePictures() {
    for first in Orientation.allCases {
      for second in Orientation.allCases {
        #expect(turned(turned(picture, first), second) == turned(picture, first.then(second)))
      }
    }
  }

  @Test func inverseUndoes() {
    for orientation in Orientation.allCases {
      #expect(turned(turned(picture, orientation), orientation.inverse) == picture)
    }
  }

  @Test func fourRightTurnsAndTwoFlipsAreNoEdit() {
    var edit = Edit.identity
    for _ in 0..<4 { edit = edit.turned(Orientation(quarterTurns: 1)) }
    #expect(edit.isIdentity)
    let flipped = Edit.identity.turned(.flippedHorizontally)
    #expect(!flipped.isIdentity)
    #expect(flipped.turned(.flippedHorizontally).isIdentity)
  }

  @Test func quarterTurnsOfAnySign() {
    #expect(Orientation(quarterTurns: -1) == .left)
    #expect(Orientation(quarterTurns: 6) == .down)
    #expect(Orientation(quarterTurns: -8) == .up)
  }

  @Test func pointsMoveWithThePicture() {
    for orientation in Orientation.allCases {
      let after = turned(picture, orientation)
      for y in 0..<2 {
        for x in 0..<3 {
          let p = orientation.apply(x: Double(x) + 0.5, y: Double(y) + 0.5, width: 3, height: 2)
          #expect(after[Int(p.y)][Int(p.x)] == picture[y][x])
        }
      }
    }
  }

  @Test func swapsAxesExactlyWhenTheShapeChanges() {
    for orientation in Orientation.allCases {
      #expect((turned(picture, orientation).count == 3) == orientation.swapsAxes)
    }
  }
}
