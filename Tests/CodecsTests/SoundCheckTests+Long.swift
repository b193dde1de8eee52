import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

extension SoundCheckTests {
  @Test(arguments: [
    ["aac"], ["aac", "-ac", "6"], ["aac", "-ar", "22050"], ["alac"], ["ac3"], ["eac3"], ["libmp3lame"],
    ["pcm_s16le"], ["pcm_s24be"], ["pcm_f32le"], ["pcm_mulaw"], ["adpcm_ima_qt"],
  ])
  func soundThatIsWholeHasNoDamage(_ arguments: [String]) throws {
    let path = try movie(arguments)
    let sound = try check(path)
    #expect(sound.outcome == .decoded && sound.damage.count == 0 && sound.stop == nil, "\(sound)")
    #expect(sound.packetCount == (try packets(path).count))
  }
}
