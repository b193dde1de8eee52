/// The names by which OPPO's, OnePlus' and realme's phones tell of the movie in a Motion Photo, beside Google's (seen in camera files of
/// 2025; read by their gallery's decoder).
extension XMPPacket {
  static let oppo = "http://ns.oplus.com/photos/1.0/camera/"
  private static let oppoTime = "MotionPhotoPrimaryPresentationTimestampUs"

  /// The photo's place in the movie as Google's names say it, in microseconds; -1 where it is not known, nil where it is not said.
  var motionPhotoTime: Int? {
    ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"].lazy.compactMap {
      text($0, in: Namespace.camera).flatMap { Int($0.text) }
    }.first
  }

  /// Makes OPPO's names true of another movie, where the packet has them.
  ///
  /// - Parameters:
  ///   - movieSize: its bytes.
  ///   - time: the photo's place in it in microseconds, -1 where it is not known; nil where its time is as it was.
  mutating func stateForOPPO(movieSize: Int, time: Int?) {
    set("VideoLength", in: Self.oppo, to: String(movieSize))
    // The camera's own moment differs from Google's after another cover was chosen; both stay where time does.
    guard let time else { return }
    set(Self.oppoTime, in: Self.oppo, to: String(time))
    for property in properties(in: Self.oppo)
    where ["MotionPhotoVideoStart", "MotionPhotoVideoEnd"].contains(property.name.local) {
      remove(property)
    }
  }
}
