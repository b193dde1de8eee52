import Attempts
import Confinement
import EditModel
import FoundationEssentials
import Glibc

/// A stand-in for a helper that a file has taken over: it confines itself as the helper does for a job, and then tries one thing
/// that an attack would.
///
///     confinement-probe list
///     confinement-probe confined|free ATTEMPT PHOTO OUTPUT-FOLDER OTHER-FOLDER PORT PROCESS
///     confinement-probe works PHOTO OUTPUT-FOLDER
///
/// It prints “done” or “refused” with the number of the error; a kill by the filter says it by its signal. `works` tries what a job
/// needs, and prints “done” when all of it can be done.

let words = CommandLine.arguments.dropFirst()

func confine(_ photo: String, _ output: String) -> ConfinementState {
  let job = RenderJob(
    photo: .init(source: photo, output: output + "/made"), movie: nil, edit: .identity, settings: .standard,
    identifier: nil)
  var state = Confinement.enter(for: .render(job), since: Confinement.begin())
  state.limits = Confinement.limit(to: WorkLimits())
  return state
}

/// Reads the job's photo, writes, reads and removes an output, starts a thread.
func works(_ photo: String, _ output: String) -> Bool {
  let file = open(photo, O_RDONLY)
  var byte: UInt8 = 0
  guard file >= 0, read(file, &byte, 1) == 1 else { return false }
  let path = output + "/made"
  let made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  guard made >= 0, write(made, &byte, 1) == 1, close(made) == 0 else { return false }
  let again = open("/proc/self/fd/\(file)", O_RDONLY)
  guard again >= 0, unlink(path) == 0 else { return false }
  var thread = pthread_t()
  guard pthread_create(&thread, nil, { _ in nil }, nil) == 0, pthread_join(thread, nil) == 0 else {
    return false
  }
  return true
}

func all() -> [(name: String, attempt: attempt)] {
  var found: [(String, attempt)] = []
  var next = attempts_all()
  while let one = next, let name = one.pointee.name {
    found.append((String(cString: name), one.pointee))
    next = one + 1
  }
  return found
}

switch words.first {
case "list": for one in all() { print(one.name) }
case "works" where words.count == 3:
  let state = confine(words[2], words[3])
  let encoded = (try? JSONEncoder().encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  print(works(words[2], words[3]) ? "done" : "refused \(errno)", encoded)
case "confined" where words.count == 7, "free" where words.count == 7:
  guard let chosen = all().first(where: { $0.name == words[2] }), let port = Int32(words[6]),
    let victim = Int32(words[7])
  else { exit(64) }
  attempts_begin(words[5], port, victim)
  if words.first == "confined" { _ = confine(words[3], words[4]) }
  let failure = chosen.attempt.attempt()
  print(failure == 0 ? "done" : "refused \(failure)")
default: exit(64)
}
