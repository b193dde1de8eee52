// Placeholder until the room's tests arrive.
