/// The properties in which OPPO, OnePlus and realme phones describe the movie of a Motion Photo, in addition to
/// Google's properties. They were observed in camera files from 2025 and are read by the decoder of the phones'
/// gallery.
extension XMPPacket {
  static let oppo = "http://ns.oplus.com/photos/1.0/camera/"
  private static let oppoTime = "MotionPhotoPrimaryPresentationTimestampUs"

  /// The time of the photo in the movie according to Google's properties, in microseconds. The value is -1 if the time
  /// is unknown, and nil if no property states it.
  var motionPhotoTime: Int? {
    ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"].lazy.compactMap {
      text($0, in: Namespace.camera).flatMap { Int($0.text) }
    }.first
  }

  /// Updates OPPO's properties, if present, to describe another movie.
  ///
  /// - Parameters:
  ///   - movieSize: The size of the movie in bytes.
  ///   - time: The time of the photo in the movie in microseconds, -1 if it is unknown, or nil if it has not changed.
  mutating func stateForOPPO(movieSize: Int, time: Int?) {
    set("VideoLength", in: Self.oppo, to: String(movieSize))
    // After another key photo is chosen, the camera's own time differs from Google's. If the time does not change, both
    // are kept.
    guard let time else { return }
    set(Self.oppoTime, in: Self.oppo, to: String(time))
    for property in properties(in: Self.oppo)
    where ["MotionPhotoVideoStart", "MotionPhotoVideoEnd"].contains(property.name.local) {
      remove(property)
    }
  }
}
