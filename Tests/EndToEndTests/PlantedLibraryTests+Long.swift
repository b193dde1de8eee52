import Foundation
import TestSupport
import Testing

/// Tests of unexpected content in a library folder: hard links, planted rows, folders of other programs, permissions,
/// and repairs that run out of space. Each case has a script that prints what is wrong.
@Suite struct PlantedLibraryTests {
  /// A named script, and whether it needs strace.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let script: String
    var needsTrace = false
    var testDescription: String { name }
  }

  /// The shell commands that limit the memory of the command after them.
  private static let limited = Tools.canLimit ? "ulimit -v 1500000; " : ""

  static let cases: [Case] = [
    // A repair that runs out of space remains pending and discards nothing.
    Case(
      name: "a revert that cannot go on waits",
      script: """
        strace -f -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:signal=SIGKILL:when=1 $LE revert $A 2> /dev/null
        for error in ENOSPC EIO EACCES EROFS; do
          strace -f -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:error=$error:when=1+ $LE check --repair . > said 2>&1
          [ $? -eq 1 ] || echo "$error: not a failure: $(cat said)"
        done
        $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 1; versions 2; clean
        """, needsTrace: true),
    Case(
      name: "an edit that cannot go on waits",
      script: """
        # Both halves have got their names in the work folder before.
        strace -f -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:signal=SIGKILL:when=3 $LE flip --vertical --lossless $A 2> /dev/null
        strace -f -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:error=ENOSPC:when=1+ $LE check --repair . > /dev/null 2>&1
        $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 3; versions 3; clean
        """, needsTrace: true),
    // Hard links to other files.
    Case(
      name: "an original as index",
      script: """
        $LE list . > /dev/null; before=$(sha256sum < IMG_0003.MOV)
        for ending in "" -journal -wal -shm; do
          rm -f .liveedit/index.sqlite*; $LE list . > /dev/null
          [ -z "$ending" ] || python3 -c 'import sqlite3; sqlite3.connect(".liveedit/index.sqlite").execute("pragma journal_mode = wal")'
          rm -f .liveedit/index.sqlite$ending; ln IMG_0003.MOV .liveedit/index.sqlite$ending
          cp IMG_0003.JPG new$ending.JPG; $LE list . > /dev/null 2>&1; $LE list . > /dev/null 2>&1
          [ "$before" = "$(sha256sum < IMG_0003.MOV)" ] || echo "$ending: the original changed"
        done
        """),
    Case(
      name: "an original beside the catalogue",
      script: """
        before=$(sha256sum < IMG_0003.MOV)
        for ending in -journal -wal -shm .new .copy; do
          rm -f .liveedit/library.sqlite$ending; ln IMG_0003.MOV .liveedit/library.sqlite$ending
          $LE mark --hidden $A > said 2>&1; $LE mark --no-hidden $A > said 2>&1; $LE check --repair . > said 2>&1
          [ "$before" = "$(sha256sum < IMG_0003.MOV)" ] || echo "$ending: the original changed"
          rm -f .liveedit/library.sqlite$ending
        done
        current 2; clean
        """),
    Case(
      name: "a backup of hard links",
      script: """
        mkdir ../backup; cp -al . ../backup/copy; before=$(cd ../backup/copy && find . -type f | sort | xargs sha256sum)
        $LE mark --hidden $A > /dev/null; $LE album delete Summer . > /dev/null; $LE revert $A > /dev/null; $LE forget $A > /dev/null
        [ "$before" = "$(cd ../backup/copy && find . -type f | sort | xargs sha256sum)" ] || echo "the backup changed"
        cd ../backup/copy; current 2; clean
        """),
    Case(
      name: "a backup of hard links in the midst of a transaction",
      script: """
        mkdir ../backup
        for when in 1 2 3 4 5 6; do
          rm -rf ../backup/a ../backup/b; cp -a . ../backup/a
          (cd ../backup/a; strace -f -qq -o /dev/null -P "$PWD/.liveedit/library.sqlite" -e trace=pwrite64 \
            -e inject=pwrite64:signal=SIGKILL:when=$when $LE flip --vertical --lossless $A > /dev/null 2>&1)
          cp -al ../backup/a ../backup/b
          (cd ../backup/b; $LE list . > /dev/null 2>&1; $LE check . > said 2>&1 || echo "$when: $(cat said)")
        done
        """, needsTrace: true),
    // A move journal that would remove an original or replace it with another file.
    Case(
      name: "a planted journal of moves",
      script: """
        mkdir -p .liveedit-x; echo planted > .liveedit-x/b-1; : > .liveedit-x/lock; cp -a . ../before
        for steps in '{"from":"a-1","to":"Y.JPG"},{"from":"a-1","to":"IMG_0003.JPG"},{"from":"b-1","to":"IMG_0003.JPG"}' \
          '{"from":"a-1","to":"IMG_0003.JPG"},{"from":"b-1","to":"IMG_0003.MOV"}' '{"from":"b-1","to":"../victim"}' \
          '{"from":"../IMG_0003.JPG","to":"Z.JPG"}' '{"to":"IMG_0003.JPG"}'; do
          echo "{\\"version\\":1,\\"steps\\":[$steps]}" > .liveedit-x/commit
          for i in 1 2 3; do $LE history $A > /dev/null 2>&1; done
          cmp -s IMG_0003.JPG ../before/IMG_0003.JPG || echo "$steps: the photo changed"
          cmp -s IMG_0003.MOV ../before/IMG_0003.MOV || echo "$steps: the movie changed"
          [ ! -e ../victim ] || echo "$steps: it left the folder"
        done
        """),
    Case(
      name: "a trigger that passes for statistics",
      script: """
        sql library "pragma writable_schema = on; insert into sqlite_master values ('trigger', 'sqlite_stat_t', 'asset', 0,
          'CREATE TRIGGER sqlite_stat_t AFTER UPDATE ON asset BEGIN DELETE FROM mark; DELETE FROM album; END')"
        $LE flip --vertical --lossless $A > said 2>&1 && echo "believed: $(cat said)"
        $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 2; marked; clean
        """),
    Case(
      name: "a description that is none",
      script: """
        mkdir -p .liveedit/versions/X/1; echo junk > .liveedit/versions/X/1/version.json
        rm .liveedit/library.sqlite; $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 2; marked; clean
        mkdir ../fresh; cp IMG_0003.JPG IMG_0003.MOV ../fresh; cd ../fresh
        mkdir -p .liveedit/versions/X/1; echo junk > .liveedit/versions/X/1/version.json
        $LE rotate --degrees 90 --lossless $A > said 2>&1 || echo "stuck: $(cat said)"
        """),
    Case(
      name: "folders of other programs",
      script: """
        mkdir .liveedit/versions/IMG_0003/1/@eaDir .liveedit/versions/@eaDir; echo x > .liveedit/versions/IMG_0003/1/@eaDir/y
        mkdir -p .liveedit/versions/IMG_0003/02 .liveedit/versions/IMG_0003/3; echo x > .liveedit/versions/IMG_0003/3/version.json
        $LE check --repair . > said 2>&1
        $LE flip --vertical --lossless $A > said 2>&1 || echo "stuck: $(cat said)"
        $LE forget $A > said 2>&1 || echo "not forgotten: $(cat said)"
        $LE check --repair . > said 2>&1
        $LE rotate --degrees 90 --lossless $A > said 2>&1 || echo "stuck afterwards: $(cat said)"
        [ "$(cat .liveedit/versions/IMG_0003/1/@eaDir/y 2>/dev/null || cat .liveedit/versions/IMG_0003/1.*/@eaDir/y)" = x ] || echo "lost"
        """),
    Case(
      name: "numbers of the index",
      script: """
        $LE list . > /dev/null
        # What is planted together does not hide each other: a place needs both its numbers, a new stamp all of the file.
        for columns in modified size "wall width latitude duration" "zone height longitude created" \
          "altitude subtypes edited" stamp; do
          for value in -9223372036854775808 9223372036854775807; do
            cp -a .liveedit/index.sqlite ../kept
            for column in $columns; do echo "update item set $column = $value;"; done > ../planted
            sql index "$(cat ../planted)"
            for form in "" --json; do
              timeout -k 1 20 $LE list $form . > said 2>&1; status=$?
              [ $status -le 1 ] || echo "$columns $value $form: exit $status"
            done
            mv ../kept .liveedit/index.sqlite
          done
        done
        """),
    Case(
      name: "a stem that no asset can have",
      script: """
        sql library "insert into mark values ('../x', 1, 0)"
        $LE mark --hidden $A > said 2>&1 || echo "$(cat said)"
        clean; rm .liveedit/library.sqlite; $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        marked; clean
        """),
    Case(
      name: "a move of an asset that is not there",
      script: """
        sql library "insert into move (asset, source, target) values (999, '.liveedit/work/photo-1-1', null)"
        $LE check --repair . > said 2>&1; clean
        $LE list . 2>&1 | grep -q "cannot finish" && echo "never ends"; true
        """),
    Case(
      name: "an album by another spelling",
      script: """
        nfc=$(printf 'caf\\303\\251'); nfd=$(printf 'cafe\\314\\201')
        $LE album create $nfc . > /dev/null; $LE album add $nfd $A > /dev/null
        $LE album list --json . | grep -q "$nfc.*IMG_0003\\|IMG_0003.*$nfc" || echo "not added"
        $LE album delete $nfd . > /dev/null; $LE album list . | grep -q caf && echo "not deleted"; true
        """),
    Case(
      name: "a folder whose path is not UTF-8",
      script: """
        odd=$(printf '../caf\\351'); mkdir "$odd"; cp -a . "$odd/lib"; cd "$odd/lib"
        $LE flip --vertical --lossless $A > said 2>&1 || echo "$(cat said)"
        current 3; clean; $LE list . > /dev/null || echo "not listed"
        """),
    Case(
      name: "a group's folder",
      script: """
        umask 002; mkdir ../shared; cp IMG_0003.JPG IMG_0003.MOV ../shared; cd ../shared
        $LE rotate --degrees 90 --lossless $A > /dev/null; $LE list . > /dev/null
        for file in .liveedit/library.sqlite .liveedit/index.sqlite .liveedit/lock; do
          [ "$(stat -c %a $file)" = 664 ] || echo "$file: $(stat -c %a $file)"
        done
        """),
    Case(
      name: "values that are too large",
      script: """
        sql library "update version set data = zeroblob(200000000)"
        (\(limited)timeout -k 1 20 $LE history $A) > said 2>&1; [ $? -le 1 ] || echo "$(cat said)"
        $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 2; marked
        """),
    Case(
      name: "more versions than anybody makes",
      script: """
        python3 - <<'P'
        import sqlite3
        catalogue = sqlite3.connect(".liveedit/library.sqlite")
        row = list(catalogue.execute("select * from version where number = 2").fetchone())
        for number in range(3, 30000):
            row[1:4] = number, number - 1, number - 1
            catalogue.execute("insert into version values (%s)" % ",".join("?" * len(row)), row)
        catalogue.commit()
        P
        timeout -k 1 20 $LE history $A > said 2>&1; [ $? -le 1 ] || echo "history: $?"
        timeout -k 1 20 $LE check --repair . > said 2>&1 || echo "not repaired: $(cat said)"
        current 2
        """),
  ]

  private static let tools = """
    set -u
    A=IMG_0003.JPG
    current() { $LE history --json $A | grep -q "\\"current\\":$1[,}]" || echo "current is not $1: $($LE history $A)"; }
    versions() { [ "$($LE history --json $A | grep -o '"number":' | wc -l)" -ge "$1" ] || echo "fewer than $1 versions"; }
    marked() { $LE list --hidden --json . | grep -q '"favourite":true' || echo "the mark is gone"
      $LE album list --json . | grep -q '"assets":\\["IMG_0003"\\]' || echo "the album is gone"; }
    clean() { $LE check . > said 2>&1 || echo "not clean: $(cat said)"; }
    sql() { python3 -c 'import sqlite3, sys
    c = sqlite3.connect(".liveedit/" + sys.argv[1] + ".sqlite"); c.executescript(sys.argv[2]); c.commit()' "$1" "$2"; }
    cp -a "$LIBRARY" folder; cd folder

    """

  /// A quick run tests every kind of case once, and skips the two cases with the longest loops.
  private static let chosen = Cases.chosen(cases) { index, _ in
    [1, 2, 4, 6, 7, 9, 12, 14, 16].contains(index)
  }

  @Test(arguments: chosen.filter { !$0.needsTrace }) func nothingIsLost(_ one: Case) throws {
    try expectNothingLost(one)
  }

  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: chosen.filter(\.needsTrace))
  func nothingIsLostWhenCallsFail(_ one: Case) throws { try expectNothingLost(one) }

  private func expectNothingLost(_ one: Case) throws {
    let scratch = try TemporaryFolder()
    let library = try HostileLibraryTests.prepared.get()
    let output = try Tools.run(
      ["bash", "-c", Self.tools + one.script], in: scratch.url,
      environment: ["LE": Command.path, "LIBRARY": library.url.path])
    #expect(output.text == "", "\(output.standardError)")
  }
}
