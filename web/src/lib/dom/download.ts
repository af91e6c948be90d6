/** Hands a text to the person as a file. */
export const download = (fileName: string, contentType: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${contentType};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers may begin to read it only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Has the browser save a file that answers as an attachment, so that the page stays. The link opens it to anyone who has it. */
export const saveFrom = (url: string): void => Object.assign(document.createElement("a"), { href: url, rel: "noreferrer" }).click();
