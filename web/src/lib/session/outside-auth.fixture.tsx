import { renderToString } from "react-dom/server";
import { useAuth } from "./auth.tsx";

const Lost = () => <p>{useAuth().user?.email}</p>;

/** Draws something that asks who is signed in where nobody can tell. */
export const renderOutsideAuthProvider = (): string => renderToString(<Lost />);
