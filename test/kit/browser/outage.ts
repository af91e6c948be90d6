export const unavailable = {
  status: 503,
  json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
};
