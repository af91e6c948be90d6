const hoursAhead = 12 - new Date().getUTCHours();

/** A time zone in which it is about noon, because no reminder is sent at night. The sign in its name is reversed. */
export const noonZone = `Etc/GMT${hoursAhead < 0 ? "+" : "-"}${Math.abs(hoursAhead)}`;
