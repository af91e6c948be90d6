import { watchScreens } from "./visit.tsx";

watchScreens();
