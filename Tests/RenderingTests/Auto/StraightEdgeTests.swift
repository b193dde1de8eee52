import Testing

@testable import Rendering

@Suite struct StraightEdgeTests {
  /// Returns a picture that is dark below a line, with edges as soft as a lens produces.
  private func luma(_ width: Int, _ height: Int, _ line: (Double) -> Double?) -> [Float] {
    (0..<height).flatMap { y in
      (0..<width).map { x in
        guard let edge = line(Double(x) + 0.5) else { return 100 }
        return Float(180 - 100 * min(max((Double(y) + 0.5 - edge) / 3 + 0.5, 0), 1))
      }
    }
  }

  @Test func aLineIsFoundExactly() throws {
    for slope in [-0.2, -0.03, 0, 0.0123, 0.15] {
      let edges = StraightEdge.level(in: luma(300, 100) { 50 + slope * ($0 - 150) }, 300, 100, shortest: 20)
      let edge = try #require(edges.first)
      #expect(edges.count == 1 && edge.length > 280 && !edge.isRising)
      #expect(abs(edge.slope - slope) < 0.002)
      #expect(abs(edge.start.across - (50 + slope * (edge.start.along - 150))) < 0.3)
    }
  }

  @Test func aBendCutsAndSteepEdgesAreLeft() throws {
    let bent = luma(300, 100) { 40 + abs($0 - 150) * 0.1 }
    let slopes = StraightEdge.level(in: bent, 300, 100, shortest: 20).map(\.slope).sorted()
    #expect(slopes.count == 2 && abs(slopes[0] + 0.1) < 0.01 && abs(slopes[1] - 0.1) < 0.01)
    #expect(StraightEdge.level(in: luma(300, 100) { 50 + 0.8 * ($0 - 150) }, 300, 100, shortest: 20).isEmpty)
    #expect(StraightEdge.level(in: [Float](repeating: 9, count: 16), 4, 4, shortest: 1).isEmpty)
  }

  @Test func piecesOfALineAreJoined() throws {
    let pieces = luma(300, 100) { Int($0) % 90 < 60 ? 50 + 0.02 * $0 : nil }
    let edges = StraightEdge.level(in: pieces, 300, 100, shortest: 20).filter { !$0.isRising }
    let joined = StraightEdge.joined(edges)
    #expect(edges.count == 4)
    let line = try #require(joined.first)
    #expect(joined.count == 1 && abs(line.slope - 0.02) < 0.002)
    #expect(abs(line.length - edges.map(\.length).reduce(0, +)) < 1e-9)
    // Parallel edges at different heights are separate lines.
    let steps = luma(300, 100) { $0 < 150 ? 40 : 60 }
    #expect(StraightEdge.joined(StraightEdge.level(in: steps, 300, 100, shortest: 20)).count == 2)
  }
}
