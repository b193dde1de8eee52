import Foundation
import TestSupport
import Testing

extension CommandFailureTests {
  /// The command for a shell in its own mount namespace, where the shell can mount file systems; nil if the system
  /// forbids that.
  static let mounting: [String]? = {
    let shell = ["unshare", "--map-root-user", "--mount", "sh", "-ec"]
    let test = try? Tools.run(shell + ["mount -t tmpfs -o size=1m none /mnt"])
    return test?.status == 0 ? shell : nil
  }()

  /// The sizes leave room for nothing, for part of the photo, or for the photo and part of the movie.
  @Test(
    .enabled(if: mounting != nil, "no small file system can be mounted here"),
    arguments: [440, 480, 560, 640])
  func aFullDisk(_ kilobytes: Int) throws {
    let shell = try #require(Self.mounting)
    try withTemporaryFolder { folder in
      let script = """
        mount -t tmpfs -o size=\(kilobytes)k none "$1"
        cd "$1"
        cp "$2" "$3" .
        status=0
        "$4" rotate --degrees 90 IMG_0001.JPG || status=$?
        cmp "$2" IMG_0001.JPG && cmp "$3" IMG_0001.MOV
        ls -A
        exit $status
        """
      let original = Fixture.portrait.files()
      let output = try Tools.run(
        shell + [
          script, "sh", folder.path, original.photo.path, original.movie.path, Command.path,
        ])
      #expect(output.status == 1)
      #expect(output.standardError.contains("the disk is full"))
      #expect(output.sentences.count == 1, "\(output.standardError)")
      #expect(output.lines == ["IMG_0001.JPG", "IMG_0001.MOV"])
    }
  }
}
