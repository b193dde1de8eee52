import Foundation
import TestSupport
import Testing

/// Tests of libraries that an attacker has manipulated. Whatever they contain, nothing outside the library and no
/// original changes, and every command ends by itself with at most one message.
@Suite struct HostileLibraryTests {
  /// A folder with an index and with a library that has two versions, a mark and an album.
  static let prepared: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    for words in [
      ["rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG"],
      ["flip", "--horizontal", "--lossless", "IMG_0003.JPG"], ["mark", "--favourite", "IMG_0003.JPG"],
      ["album", "create", "Summer", "."], ["album", "add", "Summer", "IMG_0003.JPG"], ["list", "."],
    ] {
      let output = try Tools.run([Command.path] + words, in: folder.url)
      guard output.status == 0 else { throw ToolFailure(output.standardError) }
    }
    return folder
  }

  /// One command for each use of a library: listing by its index, checking, repairing, reverting, adding a version,
  /// marking, reading a version and deleting files.
  static let commands = [
    "list .", "check .", "check --repair .", "revert IMG_0003.JPG",
    "rotate --degrees 90 --lossless IMG_0003.JPG", "mark --hidden IMG_0003.JPG",
    "export --as still -o out IMG_0003.JPG", "forget IMG_0003.JPG",
  ]

  /// A command that lists, one that repairs and one that edits.
  static let few = ["list .", "check --repair .", "rotate --degrees 90 --lossless IMG_0003.JPG"]

  /// Returns the commands to test with a path. Commands that never open the path are left out, because it cannot
  /// mislead them.
  static func commands(for place: String, _ kind: String) -> [String] {
    if place.hasPrefix("out/") {
      return ["export --as still -o out IMG_0003.JPG", "rotate --degrees 180 --lossless -o out IMG_0003.JPG"]
    }
    // A link to an existing target can do the most harm. Only listing opens an index, and only a repair opens a new
    // catalogue.
    let isOpenedByAll = !place.contains("/index.") && !place.hasSuffix(".new")
    guard kind == "link", isOpenedByAll else { return few }
    // A quick run uses half of the remaining commands.
    return Cases.chosen(commands) { index, command in
      few.contains(command) || index % 2 == place.utf8.count % 2
    }
  }

  /// Every path that is opened in a library, for reading or writing.
  static let places = [
    ".liveedit", ".liveedit/lock", ".liveedit/work", ".liveedit/versions", ".liveedit/versions/IMG_0003",
    ".liveedit/versions/IMG_0003/1", ".liveedit/versions/IMG_0003/1/version.json",
    ".liveedit/versions/IMG_0003/1/IMG_E0003.JPG", ".liveedit/library.sqlite",
    ".liveedit/library.sqlite-journal", ".liveedit/library.sqlite-wal", ".liveedit/library.sqlite-shm",
    ".liveedit/library.sqlite.new", ".liveedit/index.sqlite", ".liveedit/index.sqlite-journal",
    ".liveedit/collections.json", "out/.liveedit-IMG_0003-1", "IMG_E0003.JPG", "IMG_0003.AAE",
  ]

  /// Replaces each path with a link to a similar file or folder outside, with a dangling link, or with a named pipe.
  @Test(arguments: places, ["link", "dangling", "pipe"])
  func whatIsNotWhatItShouldBeLeadsNowhere(_ place: String, _ kind: String) throws {
    let script = """
      set -u
      for command in "$@"; do
        rm -rf folder victim; cp -a "$0" folder; mkdir -p folder/out victim
        # The victim has what would be there, and something precious besides.
        if [ -e "folder/$PLACE" ]; then mv "folder/$PLACE" victim/there; else mkdir victim/there; fi
        if [ -d victim/there ]; then echo precious > victim/there/photo-1-1; fi
        echo precious > victim/diary
        case $KIND in
          link) ln -s "$PWD/victim/there" "folder/$PLACE";;
          dangling) ln -s "$PWD/victim/nothing" "folder/$PLACE";;
          pipe) mkfifo "folder/$PLACE";;
        esac
        rm -rf before; cp -a victim before
        (cd folder && timeout -k 1 20 \(Command.path) $command) > said 2>&1 < /dev/null
        status=$?
        [ $status -le 2 ] || echo "$command: exit $status: $(cat said)"
        diff -r before victim || echo "$command: the victim changed"
        for half in JPG MOV; do cmp -s folder/IMG_0003.$half "$0/IMG_0003.$half" || echo "$command: the $half changed"; done
        # What cannot be used is named.
        if [ $status -eq 1 ]; then grep -q "^liveedit: " said || grep -q problem said || echo "$command: no sentence: $(cat said)"; fi
      done
      """
    let output = try run(script, Self.commands(for: place, kind), ["PLACE": place, "KIND": kind])
    #expect(output.text == "", "\(output.standardError)")
  }

  /// Sets every integer in the catalogue to its limits.
  @Test(
    arguments: [
      "asset.current", "version.number", "version.previous", "version.base", "version.time",
      "version.has_files",
      "version.aside", "file.version", "file.size", "file.modified", "file.changed", "file.inode",
      "move.asset",
      "mark.favourite", "album_asset.position",
    ])
  func numbersOfTheCatalogueAtTheirLimits(_ column: String) throws {
    let script = """
      set -u
      for value in $VALUES; do
        rm -rf folder; cp -a "$0" folder
        python3 - "$COLUMN" $value <<'P' || echo "python failed"
      import sqlite3, sys
      table, column = sys.argv[1].split(".")
      catalogue = sqlite3.connect("folder/.liveedit/library.sqlite")
      catalogue.execute("INSERT INTO move (asset, source, target) VALUES (1, '.liveedit/versions/IMG_0003/9/x', NULL)")
      catalogue.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (int(sys.argv[2]),))
      if column != "digest": catalogue.execute("UPDATE asset SET digest = NULL")
      catalogue.commit()
      P
        for command in "$@"; do
          (cd folder && timeout -k 1 20 \(Command.path) $command) > said 2>&1 < /dev/null
          status=$?
          [ $status -le 2 ] || echo "$value $command: exit $status: $(cat said)"
        done
        # The last command found the folder repaired, or says how to begin anew with this asset.
        [ $status -ne 1 ] || grep -q "run liveedit forget" said || echo "$value $command: exit $status: $(cat said)"
        cmp -s folder/IMG_0003.JPG "$0/IMG_0003.JPG" || echo "$value: the original changed"
      done
      """
    let turn = "rotate --degrees 90 --lossless IMG_0003.JPG"
    let commands = ["history IMG_0003.JPG", turn, "check --repair .", turn]
    // A quick run uses one extreme value for each column.
    let values = Cases.chosen(["-9223372036854775808", "-1", "9223372036854775807"]) { index, _ in
      index == 2 * (column.utf8.count % 2)
    }
    let output = try run(script, commands, ["COLUMN": column, "VALUES": values.joined(separator: " ")])
    #expect(output.text == "", "\(output.standardError)")
  }

  static let members = ["number", "previous", "base", "time", "form", "size", "stem", "name"]

  /// Sets every number in a version's record to its limits, and uses stems and names that point outside, while a
  /// catalogue is rebuilt from the records.
  @Test(arguments: members)
  func descriptionsAtTheirLimits(_ member: String) throws {
    let script = """
      set -u
      for value in $VALUES; do
        rm -rf folder victim; cp -a "$0" folder; mkdir victim; echo precious > victim/a
        rm folder/.liveedit/library.sqlite
        python3 - "$MEMBER" "$value" <<'P' || echo "python failed"
      import re, sys
      path = "folder/.liveedit/versions/IMG_0003/1/version.json"
      text = open(path).read()
      new = re.sub(r'("%s" : )("[^"]*"|-?[0-9]+)' % sys.argv[1], lambda m: m[1] + sys.argv[2], text)
      assert new != text or sys.argv[2] == "0", "nothing planted"
      open(path, "w").write(new)
      P
        for command in "$@"; do
          (cd folder && timeout -k 1 20 \(Command.path) $command) > said 2>&1 < /dev/null
          status=$?
          [ $status -le 2 ] || echo "$value $command: exit $status: $(cat said)"
        done
        [ "$(cat victim/a)" = precious ] || echo "$value: the victim changed"
        cmp -s folder/IMG_0003.JPG "$0/IMG_0003.JPG" || echo "$value: the original changed"
      done
      """
    let commands = ["check --repair .", "rotate --degrees 90 --lossless IMG_0003.JPG"]
    // A quick run plants a path in each name, and alternates the values planted in numbers.
    let number = try #require(Self.members.firstIndex(of: member))
    let isName = member == "stem" || member == "name"
    let values = Cases.chosen(["-1", "9223372036854775807", "1e400", "\"../../victim\"", "null"]) {
      index, _ in
      isName ? index > 2 : index % 2 == number % 2
    }
    let output = try run(script, commands, ["MEMBER": member, "VALUES": values.joined(separator: " ")])
    #expect(output.text == "", "\(output.standardError)")
  }

  /// Views, triggers and tables with a different structure are not trusted, and the rebuilt catalogue is complete.
  @Test(arguments: [
    """
    ALTER TABLE asset RENAME TO other;
    CREATE VIEW asset AS WITH RECURSIVE r (id, stem, current) AS
      (SELECT 1, 'IMG_0003', 1 UNION ALL SELECT id + 1, 'S' || id, 0 FROM r) SELECT * FROM r
    """,
    "CREATE TRIGGER t AFTER INSERT ON mark BEGIN DELETE FROM version; END",
    "CREATE VIRTUAL TABLE words USING fts5 (a)",
    "CREATE TABLE more (a)", "DROP TABLE album_asset", "PRAGMA user_version = -1",
    "CREATE INDEX slow ON mark (hex(zeroblob(1000)))", "PRAGMA journal_mode = WAL",
  ])
  func tablesOfOthersAreNotBelieved(_ sql: String) throws {
    let script = """
      cp -a "$0" folder
      python3 -c 'import sqlite3, sys
      catalogue = sqlite3.connect("folder/.liveedit/library.sqlite", isolation_level=None)
      catalogue.executescript(sys.argv[1])' "$SQL"
      cd folder
      for command in "list ." "check ." "mark --hidden IMG_0003.JPG" "check --repair ." "check ."; do
        timeout -k 1 20 \(Command.path) $command > ../said 2>&1 < /dev/null
        status=$?
        [ $status -le 1 ] || echo "$command: exit $status: $(cat ../said)"
      done
      [ $status -eq 0 ] || echo "not repaired: $(cat ../said)"
      timeout -k 1 20 \(Command.path) album list --json .
      timeout -k 1 20 \(Command.path) history --json IMG_0003.JPG
      """
    let output = try run(script, [], ["SQL": sql])
    #expect(output.answers.count == 2, "\(output.text)\(output.standardError)")
    #expect(output.answers.first?.contains("\"assets\":[\"IMG_0003\"]") == true)
    #expect(output.answers.last?.contains("\"current\":2") == true)
  }

  private func run(
    _ script: String, _ commands: [String], _ environment: [String: String]
  ) throws -> ToolOutput {
    let scratch = try TemporaryFolder()
    let library = try Self.prepared.get()
    return try Tools.run(
      ["sh", "-c", script, library.url.path] + commands, in: scratch.url, environment: environment)
  }
}
